import net from 'node:net';

/** A TCP proxy that can simulate a network failure. */
export interface TcpProxy {
  readonly port: number;
  /** Drops all data from now on: connections stay open and silent, and new ones are accepted and silent, too. */
  cut(): void;
  mend(): void;
  close(): void;
}

/** Starts a proxy, which may change the data that the server returns. */
export async function openTcpProxy(
  to: net.NetConnectOpts,
  change: (answer: Buffer) => Buffer = (answer) => answer,
): Promise<TcpProxy> {
  const sockets = new Set<net.Socket>();
  let isCut = false;
  const keep = (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const server = net.createServer((client) => {
    keep(client);
    if (isCut) return;
    const target = keep(net.connect(to));
    for (const [from, into] of [
      [client, target],
      [target, client],
    ] as const) {
      from.on('data', (bytes) => {
        if (!isCut) into.write(from === target ? change(bytes) : bytes);
      });
      from.once('close', () => {
        if (!isCut) into.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as net.AddressInfo).port,
    cut: () => {
      isCut = true;
    },
    mend: () => {
      isCut = false;
      drop();
    },
    close: () => {
      server.close();
      drop();
    },
  };
}

/** Finds ports that are currently free. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => net.createServer());
  const ports = await Promise.all(
    servers.map(async (server) => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return (server.address() as net.AddressInfo).port;
    }),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
