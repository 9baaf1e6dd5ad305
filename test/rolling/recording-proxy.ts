import { mkdtemp } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SOCKET_PORT } from '../../src/db/embedded/postgres-settings.ts';
import { removeFolder } from '../remove-folder.ts';

/** A statement with the types of its parameters (OIDs); 0 if PostgreSQL infers the type. */
export interface SentStatement {
  readonly text: string;
  readonly types: readonly number[];
}

const PARSE = 'P'.charCodeAt(0);

/**
 * Parses a Parse message: the name and text of a statement, each terminated by a zero byte, then the number of types and the
 * types.
 */
function readParse(body: Buffer): SentStatement {
  const nameEnd = body.indexOf(0);
  const textEnd = body.indexOf(0, nameEnd + 1);
  const count = body.readInt16BE(textEnd + 1);
  const types = Array.from({ length: count }, (_, index) => body.readInt32BE(textEnd + 3 + index * 4));
  return { text: body.toString('utf8', nameEnd + 1, textEnd), types };
}

/** Returns a parser of a client's messages that calls back for every prepared statement. */
function statementReader(onStatement: (statement: SentStatement) => void): (chunk: Buffer) => void {
  let buffered = Buffer.alloc(0);
  let isStarted = false;
  return (chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    for (;;) {
      const typeBytes = isStarted ? 1 : 0; // the first message has no type
      if (buffered.length < typeBytes + 4) return;
      const end = typeBytes + buffered.readInt32BE(typeBytes);
      if (buffered.length < end) return;
      if (isStarted && buffered[0] === PARSE) onStatement(readParse(buffered.subarray(5, end)));
      isStarted = true;
      buffered = buffered.subarray(end);
    }
  };
}

/** Starts a proxy in front of a server's socket that records all prepared statements. */
export async function startRecordingProxy(
  socketDirectory: string,
  onStatement: (statement: SentStatement) => void,
) {
  const directory = await mkdtemp(path.join(tmpdir(), 'postil-record-'));
  const name = `.s.PGSQL.${SOCKET_PORT}`;
  const open = new Set<net.Socket>();
  const proxy = net.createServer((client) => {
    const server = net.connect(path.join(socketDirectory, name));
    const read = statementReader(onStatement);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
    client.on('data', read);
  });
  await new Promise<void>((resolve) => proxy.listen(path.join(directory, name), resolve));
  return {
    url: `postgres://postil@${encodeURIComponent(directory)}:${SOCKET_PORT}/postgres`,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
      await removeFolder(directory);
    },
  };
}
