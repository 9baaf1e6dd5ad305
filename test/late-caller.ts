import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answer, TestApp } from './harness.ts';

/** A request whose body is sent in parts over a real connection. */
export interface LateCaller {
  send(part: string): void;
  /** Sends the last part and waits for the answer. */
  finish(part?: string): Promise<Answer>;
  /** Resolves with the answer, which may arrive before the body is complete. */
  readonly answer: Promise<Answer>;
}

/** The port on which the app of a test listens; it starts listening on first use. */
export async function portOf({ app }: Pick<TestApp, 'app'>): Promise<number> {
  const { server } = app;
  if (!server.server.listening) await server.listen({ host: '127.0.0.1', port: 0 });
  return (server.server.address() as AddressInfo).port;
}

async function readAnswer(message: IncomingMessage): Promise<Answer> {
  const body = await text(message);
  const isJson = String(message.headers['content-type']).startsWith('application/json');
  return {
    status: message.statusCode!,
    headers: message.headers as Record<string, string>,
    text: body,
    json: isJson ? JSON.parse(body) : undefined,
  };
}

/** Starts a request with the first part of its body. */
export async function callLate(
  server: Pick<TestApp, 'app'>,
  method: string,
  path: string,
  headers: Record<string, string>,
  firstPart: string,
): Promise<LateCaller> {
  const port = await portOf(server);
  const call = request({
    port,
    method,
    path,
    agent: false,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const answer = once(call, 'response').then(([message]) => readAnswer(message as IncomingMessage));
  answer.catch(() => {});
  call.write(firstPart);
  return {
    answer,
    send: (part) => void call.write(part),
    finish: (part = '') => {
      call.end(part);
      return answer;
    },
  };
}
