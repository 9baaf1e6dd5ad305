import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readOperatorToken, readServerAddress } from '../data-folder.ts';
import { startCommand } from '../lib/own-files.ts';
import type { Settings } from '../settings.ts';
import { CommandError, usageExitCode } from './command-error.ts';
import {
  ConnectionLost,
  expectSuccess,
  notPostil,
  type OptionNames,
  readJson,
  readLines,
  readText,
} from './server-response.ts';

/** A request to the server's operator API. */
export interface OperatorRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly json?: unknown;
  readonly stream?: { readonly type: string; readonly source: Readable };
  /** For a request built from options: the command-line option for each field. A 400 then counts as incorrect usage. */
  readonly optionNames?: OptionNames;
}

export interface OperatorClient {
  readonly url: string;
  /** Returns the JSON response (undefined for 204), or throws a CommandError with the server's message. */
  send(request: OperatorRequest): Promise<unknown>;
  /** Returns a plain-text response. */
  readText(path: string): Promise<string>;
  /** Returns the response as it arrives, for downloads of any length. */
  download(path: string, optionNames?: OptionNames): Promise<AsyncIterable<Buffer>>;
}

/** No server is running, or none can be reached. */
export class NoServer extends CommandError {}

/** All items of a paginated list; `field` names the items of a page. */
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

/** The credential of a client, and the hint what to set if it is rejected. */
interface Credential {
  readonly token: string;
  readonly hint?: string;
  /** Whether it is an API key, which is sent in a header of its own. */
  readonly isKey?: true;
}

async function findServer(settings: Settings, tokenOwner: number | undefined): Promise<string> {
  const { dataDirectory, host } = settings;
  const url = settings.serverUrl ?? (await readServerAddress(dataDirectory, { host, tokenOwner }));
  if (url !== undefined) return url;
  throw new NoServer(
    `No server is running on the data folder ${path.resolve(dataDirectory)}; start one with "${startCommand}", set POSTIL_DATA_DIR to the folder of the one that runs, or set POSTIL_URL`,
  );
}

/**
 * Finds the server through POSTIL_URL and POSTIL_OPERATOR_TOKEN, or through the files that the server stored in the data
 * folder.
 */
export async function connectOperator(settings: Settings): Promise<OperatorClient> {
  const saved =
    settings.operatorToken === undefined ? await readOperatorToken(settings.dataDirectory) : undefined;
  const url = await findServer(settings, saved?.owner);
  const token = settings.operatorToken ?? saved?.token;
  if (token === undefined) throw new CommandError('No operator token was found; set POSTIL_OPERATOR_TOKEN');
  return createClient(url, { token });
}

/** A client to send events: with POSTIL_SOURCE_KEY as the event source, otherwise as the operator. */
export async function connectSender(
  settings: Settings,
): Promise<{ readonly client: OperatorClient; readonly path: string }> {
  const { sourceKey } = settings;
  if (sourceKey === undefined)
    return { client: await connectOperator(settings), path: '/operator/v1/events' };
  const hint = 'POSTIL_SOURCE_KEY to the value of an event source of this server';
  const url = await findServer(settings, undefined);
  return { client: createClient(url, { token: sourceKey, hint }), path: '/v1/events' };
}

/** A client with an API key, which acts as the key's owner. */
export async function connectKey(settings: Settings, key: string | undefined): Promise<OperatorClient> {
  const hint = 'POSTIL_API_KEY to an API key of this server';
  if (key === undefined) throw new CommandError(`Set ${hint}`, usageExitCode);
  return createClient(await findServer(settings, undefined), { token: key, hint, isKey: true });
}

/** A client for a build that reports results of its tools: as an event source, otherwise with an API key. */
export async function connectReporter(settings: Settings, key: string | undefined): Promise<OperatorClient> {
  const { sourceKey } = settings;
  if (sourceKey === undefined) return connectKey(settings, key);
  const hint = 'POSTIL_SOURCE_KEY to the value of an event source of this server';
  return createClient(await findServer(settings, undefined), { token: sourceKey, hint });
}

/** An import would load Node's whole modules, including fetch, which is as much code as the rest of a command. */
function transportOf({ protocol }: URL) {
  return protocol === 'https:'
    ? process.getBuiltinModule('node:https')
    : process.getBuiltinModule('node:http');
}

function createClient(url: string, { token, hint, isKey }: Credential): OperatorClient {
  const credential = isKey ? { 'x-service-api-key': token } : { authorization: `Bearer ${token}` };
  const call = async (request: OperatorRequest): Promise<IncomingMessage> => {
    const target = new URL(request.path, url);
    const body =
      request.stream?.source ??
      (request.json === undefined ? undefined : Readable.from([Buffer.from(JSON.stringify(request.json))]));
    const type = request.stream?.type ?? (request.json === undefined ? undefined : 'application/json');
    const { request: start } = transportOf(target);
    const outgoing = start(target, {
      method: request.method,
      headers: { ...credential, ...(type !== undefined && { 'content-type': type }) },
    });
    const received = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve).once('error', reject);
    });
    // A server that rejects a request before its body is sent closes the connection; its response contains the reason.
    const sent = body === undefined ? Promise.resolve(void outgoing.end()) : pipeline(body, outgoing);
    const [outcome, delivery] = await Promise.allSettled([received, sent]);
    if (outcome.status === 'fulfilled') return outcome.value;
    // The body could not be read; the error explains why.
    if (delivery.status === 'rejected' && delivery.reason instanceof CommandError) throw delivery.reason;
    const { code } = outcome.reason as NodeJS.ErrnoException;
    if (code !== undefined && lostCodes.has(code)) throw new ConnectionLost(url, code);
    if (code?.startsWith('HPE_')) throw notPostil(url);
    throw new NoServer(`The server at ${url} cannot be reached (${code ?? 'connection failed'})`);
  };

  return {
    url,
    async send(request) {
      const response = await call(request);
      await expectSuccess(response, url, request.optionNames, hint);
      return readJson(response, url);
    },
    async readText(path) {
      const response = await call({ method: 'GET', path });
      await expectSuccess(response, url, undefined, hint);
      return readText(response, url);
    },
    async download(path, optionNames) {
      const response = await call({ method: 'GET', path });
      await expectSuccess(response, url, optionNames, hint);
      return readLines(response, url);
    },
  };
}
