import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConnectionTarget } from '../src/db/database.ts';

/** A proxy between a client and a database, so that a test can make the database unreachable and reachable again. */
export interface DatabaseProxy {
  /** The target that clients connect to. */
  readonly target: Extract<ConnectionTarget, { socketDirectory: string }>;
  /** Cuts all connections and accepts no new ones. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** From now on new connections are accepted and closed immediately. */
  hangUp(): void;
  /** Cuts all connections and refuses new ones until told otherwise, like a server that recovers from a crash. */
  recover(isRecovering: boolean): void;
  /**
   * Cuts a connection when a client sends this text; the database still receives it if `forward` is set. It may pass
   * `skip` times before; from then on each one is cut if `always` is set, and otherwise one.
   */
  cutAt(text: string, options: { forward: boolean; skip?: number; always?: boolean }): void;
  /** From now on, existing connections stay open, but nothing passes through them. */
  fallSilent(): void;
  /** From now on every new connection is cut after this many chunks from the client. */
  cutNewAfter(pieces: number): void;
  close(): Promise<void>;
}

/** The error that a server sends to all clients while it starts up, before it closes the connection. */
function startingUp(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0');
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** Starts a proxy in front of the database, listening on a Unix socket in a temporary folder. */
export async function openDatabaseProxy(real: ConnectionTarget): Promise<DatabaseProxy> {
  const directory = await mkdtemp(path.join(tmpdir(), 'postil-proxy-'));
  const connections = new Set<net.Socket>();
  const silenced = new WeakSet<net.Socket>();
  let silent = false;
  let recovering = false;
  let cut: { text: string; forward: boolean; skip: number; always: boolean } | undefined;
  let mostPieces = Number.POSITIVE_INFINITY;

  const serve = (client: net.Socket) => {
    client.on('error', () => {});
    if (silent) return client.resume().end();
    if (recovering) return client.once('data', () => client.end(startingUp()));
    const database = connectTo(real);
    database.on('error', () => client.destroy());
    for (const socket of [client, database]) {
      connections.add(socket);
      socket.on('close', () => connections.delete(socket));
    }
    database.pipe(client);
    database.on('close', () => client.destroy());
    client.on('close', () => database.end());
    let pieces = 0;
    const ownMost = mostPieces;
    client.on('data', (data: Buffer) => {
      if (silenced.has(client)) return;
      if (++pieces >= ownMost) return void client.destroy();
      const isNamed = cut !== undefined && data.includes(cut.text);
      const isCut = isNamed && cut!.skip-- <= 0;
      if (!isCut || cut?.forward) database.write(data);
      if (isCut) {
        if (!cut?.always) cut = undefined;
        client.destroy();
      }
    });
  };

  const server = net.createServer(serve);
  const socketPath = path.join(directory, '.s.PGSQL.5432');
  const comeBack = () => new Promise<void>((resolve) => server.listen(socketPath, resolve));
  const goAway = async () => {
    for (const socket of connections) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  await comeBack();
  return {
    target: { socketDirectory: directory, port: 5432, ...identityOf(real) },
    goAway,
    comeBack,
    hangUp: () => {
      silent = true;
      for (const socket of connections) socket.destroy();
    },
    recover: (isRecovering) => {
      recovering = isRecovering;
      if (isRecovering) for (const socket of connections) socket.destroy();
    },
    cutAt: (text, { forward, skip = 0, always = false }) => {
      cut = { text, forward, skip, always };
    },
    fallSilent: () => {
      for (const socket of connections) silenced.add(socket);
    },
    cutNewAfter: (pieces) => {
      mostPieces = pieces;
    },
    close: async () => {
      await goAway();
      await rm(directory, { recursive: true });
    },
  };
}

function connectTo(target: ConnectionTarget): net.Socket {
  if (!('url' in target)) return net.connect(`${target.socketDirectory}/.s.PGSQL.${target.port}`);
  const { hostname, port } = new URL(target.url);
  return net.connect(Number(port || 5432), hostname);
}

function identityOf(target: ConnectionTarget): { user: string; database: string; password?: string } {
  if (!('url' in target)) return { user: target.user, database: target.database };
  const { username, password, pathname } = new URL(target.url);
  return {
    user: decodeURIComponent(username),
    database: pathname.slice(1),
    password: decodeURIComponent(password),
  };
}
