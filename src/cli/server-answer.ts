import type { IncomingMessage } from 'node:http';
import { CommandError, calledWrongly } from './command-error.ts';

/** The connection was there: what the server was asked may be done, in part. */
export class ConnectionLost extends CommandError {
  constructor(url: string, code: string | undefined) {
    super(`The connection to the server at ${url} was lost (${code ?? 'it broke off'})`);
  }
}

/** How the command line calls the fields of a request: its options, such as `--org` for `org_id`. */
export type FieldNames = Readonly<Record<string, string>>;

function inOptions(fault: string, names: FieldNames): string {
  const field = /^(\w+)(?:\[\d+\])?: /.exec(fault);
  const name = field === null ? undefined : names[field[1]!];
  const renamed = name === undefined ? fault : `${name}: ${fault.slice(field![0].length)}`;
  // Inside the sentence only names that are no ordinary words.
  return renamed.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => names[word] ?? word);
}

/** The whole text of an answer. */
export async function readText(response: IncomingMessage, url: string): Promise<string> {
  try {
    return Buffer.concat(await response.toArray()).toString();
  } catch (error) {
    throw new ConnectionLost(url, (error as NodeJS.ErrnoException).code);
  }
}

function notPostil(url: string): CommandError {
  return new CommandError(`What answers at ${url} is not a Postil server; check POSTIL_URL`);
}

function refusalIn(text: string): { code: string; faults: string[] } | undefined {
  try {
    const { code, message } = JSON.parse(text).error;
    return { code, faults: String(message).split('; ') };
  } catch {
    return undefined;
  }
}

/** Throws what the server refused, in its own words but with the options of the command. */
export async function expectSuccess(
  response: IncomingMessage,
  url: string,
  names: FieldNames | undefined,
): Promise<void> {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return;
  const { location } = response.headers;
  if (location !== undefined)
    throw new CommandError(`The server at ${url} has moved to ${location}; set POSTIL_URL to its address`);
  const refusal = refusalIn(await readText(response, url));
  if (refusal === undefined) throw notPostil(url);
  const said = refusal.faults.map((fault) => inOptions(fault, names ?? {})).join('\n  ');
  const hint = status === 401 ? '; set POSTIL_OPERATOR_TOKEN to the token of this server' : '';
  // A fault of the request is one of the call where the request was made of nothing but options.
  const isCall = status === 400 && refusal.code !== 'CONNECTION_REFUSED' && names !== undefined;
  throw new CommandError(`The server refused (${status}): ${said}${hint}`, isCall ? calledWrongly : 1);
}

/** The JSON of an answer; undefined if it has no body. */
export async function readJson(response: IncomingMessage, url: string): Promise<unknown> {
  const text = await readText(response, url);
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw notPostil(url);
  }
}

/** The lines of an answer as they arrive. */
export async function* readLines(response: IncomingMessage, url: string): AsyncGenerator<Buffer> {
  if (!response.headers['content-type']?.startsWith('application/x-ndjson')) throw notPostil(url);
  try {
    for await (const chunk of response) yield chunk as Buffer;
  } catch (error) {
    throw new ConnectionLost(url, (error as NodeJS.ErrnoException).code);
  }
}
