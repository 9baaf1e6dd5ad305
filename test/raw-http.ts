import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Answer, TestApp } from './harness.ts';
import { portOf } from './late-caller.ts';

/** A connection on which a test can send any bytes. */
export interface RawConnection {
  readonly socket: Socket;
  /** All data received so far. */
  readonly received: () => string;
  /** The answers, once the server has closed the connection. */
  answers(): Promise<Answer[]>;
}

/** Splits what a server sent into responses; all of them have a content length or no body. */
function parseAnswers(bytes: Buffer): Answer[] {
  const answers: Answer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf('\r\n\r\n', start);
    const [first = '', ...lines] = bytes.toString('latin1', start, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers['content-length'] ?? 0);
    const body = bytes.toString('utf8', end + 4, end + 4 + length);
    const isJson = headers['content-type']?.startsWith('application/json') && !headers['content-encoding'];
    answers.push({
      status: Number(first.split(' ')[1]),
      headers,
      text: body,
      json: isJson && body !== '' ? JSON.parse(body) : undefined,
    });
    start = end + 4 + length;
  }
  return answers;
}

/** Opens a connection to the app of a test. */
export async function openConnection(server: Pick<TestApp, 'app'>): Promise<RawConnection> {
  const socket = connect(await portOf(server), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  return {
    socket,
    received: () => Buffer.concat(chunks).toString('latin1'),
    async answers() {
      await closed;
      return parseAnswers(Buffer.concat(chunks));
    },
  };
}

/** Sends the bytes of requests, the last of which must end the connection, and returns the responses. */
export async function sendRaw(server: Pick<TestApp, 'app'>, bytes: string): Promise<Answer[]> {
  const connection = await openConnection(server);
  connection.socket.write(bytes);
  return connection.answers();
}
