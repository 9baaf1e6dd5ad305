import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readOperatorToken, readServerAddress } from '../data-folder.ts';
import type { Settings } from '../settings.ts';
import { CommandError } from './command-error.ts';

/** A request to the operator side of a server. */
export interface OperatorRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly json?: unknown;
  readonly stream?: { readonly type: string; readonly source: Readable };
}

export interface OperatorClient {
  readonly url: string;
  /** Gives the JSON answer (undefined for 204), or throws a CommandError with the server's own words. */
  send(request: OperatorRequest): Promise<unknown>;
  /** Gives the answer as a stream, for downloads. */
  download(path: string): Promise<Readable>;
}

/** The connection was there: what the server was asked may be done, in part. */
export class ConnectionLost extends CommandError {}

const lostCodes = new Set(['ECONNRESET', 'EPIPE']);

/** Finds the server: POSTIL_URL and POSTIL_OPERATOR_TOKEN, else what the server of the data folder left there. */
export async function connectOperator(settings: Settings): Promise<OperatorClient> {
  const url = settings.serverUrl ?? (await readServerAddress(settings.dataDirectory));
  if (url === undefined) {
    throw new CommandError(
      `No server runs on ${settings.dataDirectory}; start one with "npm start", or set POSTIL_URL`,
    );
  }
  const token = settings.operatorToken ?? (await readOperatorToken(settings.dataDirectory));
  if (token === undefined) throw new CommandError('There is no operator token; set POSTIL_OPERATOR_TOKEN');

  async function call(request: OperatorRequest): Promise<import('node:http').IncomingMessage> {
    const target = new URL(request.path, url);
    const body =
      request.stream?.source ??
      (request.json === undefined ? undefined : Readable.from([Buffer.from(JSON.stringify(request.json))]));
    const type = request.stream?.type ?? (request.json === undefined ? undefined : 'application/json');
    const start = target.protocol === 'https:' ? requestHttps : requestHttp;
    const outgoing = start(target, {
      method: request.method,
      headers: { authorization: `Bearer ${token}`, ...(type !== undefined && { 'content-type': type }) },
    });
    const answer = new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve).once('error', reject);
    });
    // A server that refuses before the body is sent closes the connection; its answer says why.
    const sent = body === undefined ? Promise.resolve(void outgoing.end()) : pipeline(body, outgoing);
    const [outcome] = await Promise.allSettled([answer, sent]);
    if (outcome.status === 'fulfilled') return outcome.value;
    const code = (outcome.reason as NodeJS.ErrnoException).code ?? 'connection failed';
    if (lostCodes.has(code))
      throw new ConnectionLost(`The connection to the server at ${url} was lost (${code})`);
    throw new CommandError(`The server at ${url} cannot be reached (${code})`);
  }

  async function expectSuccess(response: import('node:http').IncomingMessage): Promise<void> {
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return;
    const text = Buffer.concat(await response.toArray()).toString();
    throw new CommandError(`The server refused (${status}): ${messageIn(text)}`);
  }

  return {
    url,
    async send(request) {
      const response = await call(request);
      await expectSuccess(response);
      const text = Buffer.concat(await response.toArray()).toString();
      return text === '' ? undefined : JSON.parse(text);
    },
    async download(path) {
      const response = await call({ method: 'GET', path });
      await expectSuccess(response);
      return response;
    },
  };
}

function messageIn(text: string): string {
  try {
    return JSON.parse(text).error.message.split('; ').join('\n  ');
  } catch {
    return text.slice(0, 500);
  }
}
