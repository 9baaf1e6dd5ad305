import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import type { ConnectionTarget } from '../src/db/database.ts';
import { selfSigned } from './self-signed.ts';

/** A TLS proxy in front of a database, like a PostgreSQL server with `ssl = on`. */
export interface TlsFront {
  /** The URL for clients; the mode is that of `sslmode`. */
  url(mode: string, host?: string): string;
  readonly certificate: string;
  /** The number of encrypted connections so far. */
  readonly encrypted: number;
  /** Rejects TLS from now on, like a server with `ssl = off`. */
  refuse(): void;
  close(): Promise<void>;
}

/** Puts TLS in front of a database that is reached through a local socket. */
export async function openTlsFront(
  behind: Extract<ConnectionTarget, { socketDirectory: string }>,
): Promise<TlsFront> {
  const { key, cert } = selfSigned('localhost');
  const secureContext = tls.createSecureContext({ key, cert });
  const clients = new Set<net.Socket>();
  let encrypted = 0;
  let isRefused = false;

  const join = (client: net.Socket, database: net.Socket) => {
    client.on('error', () => database.destroy());
    client.on('close', () => database.destroy());
    client.pipe(database);
    database.pipe(client);
  };

  const serve = (client: net.Socket) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
    client.on('error', () => {});
    const database = net.connect(`${behind.socketDirectory}/.s.PGSQL.${behind.port}`);
    database.on('error', () => client.destroy());
    // The first message of a client requests TLS.
    client.once('data', () => {
      client.write(isRefused ? 'N' : 'S');
      if (isRefused) return join(client, database);
      const secure = new tls.TLSSocket(client, { isServer: true, secureContext });
      secure.once('secure', () => {
        encrypted += 1;
      });
      join(secure, database);
    });
  };

  const server = net.createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const { user, database, password = '' } = behind;
  return {
    url: (mode, host = '127.0.0.1') =>
      `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}?sslmode=${mode}`,
    certificate: cert,
    get encrypted() {
      return encrypted;
    },
    refuse: () => {
      isRefused = true;
    },
    close: async () => {
      for (const client of clients) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
