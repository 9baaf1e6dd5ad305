import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readOperatorToken, readServerAddress } from '../data-folder.ts';
import type { Settings } from '../settings.ts';
import { CommandError } from './command-error.ts';
import {
  ConnectionLost,
  expectSuccess,
  type FieldNames,
  readJson,
  readLines,
  readText,
} from './server-answer.ts';

/** A request to the operator side of a server. */
export interface OperatorRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly json?: unknown;
  readonly stream?: { readonly type: string; readonly source: Readable };
  /** For a request made of options: how faults name its fields. A refusal for its shape is then a wrong call. */
  readonly named?: FieldNames;
}

export interface OperatorClient {
  readonly url: string;
  /** Gives the JSON answer (undefined for 204), or throws a CommandError with the server's own words. */
  send(request: OperatorRequest): Promise<unknown>;
  /** Gives an answer that is plain text. */
  readText(path: string): Promise<string>;
  /** Gives the lines of the answer as they come, for downloads of any length. */
  download(path: string, named?: FieldNames): Promise<AsyncIterable<Buffer>>;
}

/** No server runs, or none can be reached. */
export class NoServer extends CommandError {}

/** All items of a list that the server gives in pages; `field` is where a page has them. */
export async function* readPages<Item>(
  client: Pick<OperatorClient, 'send'>,
  path: string,
  field = 'data',
): AsyncGenerator<Item> {
  for (let cursor: string | null = null; ; ) {
    const separator = path.includes('?') ? '&' : '?';
    const next: string = cursor === null ? '' : `${separator}cursor=${encodeURIComponent(cursor)}`;
    const page = (await client.send({ method: 'GET', path: `${path}${next}` })) as Record<string, unknown>;
    yield* page[field] as Item[];
    cursor = page.next_cursor as string | null;
    if (cursor === null) return;
  }
}

const lostCodes = new Set(['ECONNRESET', 'EPIPE']);

/** Finds the server: POSTIL_URL and POSTIL_OPERATOR_TOKEN, else what the server of the data folder left there. */
export async function connectOperator(settings: Settings): Promise<OperatorClient> {
  const kept =
    settings.operatorToken === undefined ? await readOperatorToken(settings.dataDirectory) : undefined;
  const url =
    settings.serverUrl ??
    (await readServerAddress(settings.dataDirectory, { host: settings.host, tokenOwner: kept?.owner }));
  if (url === undefined) {
    throw new NoServer(
      `No server runs on ${settings.dataDirectory}; start one with "npm start", or set POSTIL_URL`,
    );
  }
  const token = settings.operatorToken ?? kept?.token;
  if (token === undefined) throw new CommandError('There is no operator token; set POSTIL_OPERATOR_TOKEN');

  const call = async (request: OperatorRequest): Promise<IncomingMessage> => {
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
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve).once('error', reject);
    });
    // A server that refuses before the body is sent closes the connection; its answer says why.
    const sent = body === undefined ? Promise.resolve(void outgoing.end()) : pipeline(body, outgoing);
    const [outcome, delivery] = await Promise.allSettled([answer, sent]);
    if (outcome.status === 'fulfilled') return outcome.value;
    // The body could not be read, which its reader has explained.
    if (delivery.status === 'rejected' && delivery.reason instanceof CommandError) throw delivery.reason;
    const { code } = outcome.reason as NodeJS.ErrnoException;
    if (code !== undefined && lostCodes.has(code)) throw new ConnectionLost(url, code);
    throw new NoServer(`The server at ${url} cannot be reached (${code ?? 'connection failed'})`);
  };

  return {
    url,
    async send(request) {
      const response = await call(request);
      await expectSuccess(response, url, request.named);
      return readJson(response, url);
    },
    async readText(path) {
      const response = await call({ method: 'GET', path });
      await expectSuccess(response, url, undefined);
      return readText(response, url);
    },
    async download(path, named) {
      const response = await call({ method: 'GET', path });
      await expectSuccess(response, url, named);
      return readLines(response, url);
    },
  };
}
