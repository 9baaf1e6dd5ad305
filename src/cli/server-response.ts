import type { IncomingMessage } from 'node:http';
import { CommandError, usageExitCode } from './command-error.ts';

/** The connection broke after it was established: the server may have done part of the work. */
export class ConnectionLost extends CommandError {
  constructor(url: string, code: string | undefined) {
    super(`The connection to the server at ${url} was lost (${code ?? 'closed early'})`);
  }
}

/** The command-line option for each field of a request, such as `--org` for `org_id`. */
export type OptionNames = Readonly<Record<string, string>>;

function withOptionNames(message: string, names: OptionNames): string {
  const field = /^(\w+)(?:\[\d+\])?: /.exec(message);
  const name = field === null ? undefined : names[field[1]!];
  const renamed = name === undefined ? message : `${name}: ${message.slice(field![0].length)}`;
  // Within the sentence, replace only names that are not ordinary words.
  return renamed.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => names[word] ?? word);
}

/** The whole text of a response. */
export async function readText(response: IncomingMessage, url: string): Promise<string> {
  try {
    return Buffer.concat(await response.toArray()).toString();
  } catch (error) {
    throw new ConnectionLost(url, (error as NodeJS.ErrnoException).code);
  }
}

/** Another program has the address, such as one that took the port of a server that was killed. */
export function notPostil(url: string): CommandError {
  return new CommandError(
    `What answers at ${url} is not Postil; if another program holds its port, choose another with POSTIL_PORT, otherwise check POSTIL_URL`,
  );
}

function readError(text: string): { code: string; messages: string[] } | undefined {
  try {
    const { code, message } = JSON.parse(text).error;
    return typeof message === 'string' ? { code, messages: message.split('; ') } : undefined;
  } catch {
    return undefined;
  }
}

/** Throws an error if the server rejected the request: with its message, in which field names are replaced by options. */
export async function expectSuccess(
  response: IncomingMessage,
  url: string,
  names: OptionNames | undefined,
  credential = 'POSTIL_OPERATOR_TOKEN to the token of this server',
): Promise<void> {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return;
  const { location } = response.headers;
  if (location !== undefined)
    throw new CommandError(`The server at ${url} has moved to ${location}; set POSTIL_URL to its address`);
  const error = readError(await readText(response, url));
  if (error === undefined) throw notPostil(url);
  const reason = error.messages.map((message) => withOptionNames(message, names ?? {})).join('\n  ');
  const hint = status === 401 ? `; set ${credential}` : '';
  // If the request was built from options alone, a 400 means incorrect usage.
  const isUsage = status === 400 && error.code !== 'CONNECTION_REFUSED' && names !== undefined;
  throw new CommandError(
    `The server rejected the request (${status}): ${reason}${hint}`,
    isUsage ? usageExitCode : 1,
  );
}

/** The JSON of a response; undefined if it has no body. */
export async function readJson(response: IncomingMessage, url: string): Promise<unknown> {
  const text = await readText(response, url);
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw notPostil(url);
  }
}

/** The lines of a response as they arrive. */
export async function* readLines(response: IncomingMessage, url: string): AsyncGenerator<Buffer> {
  if (!response.headers['content-type']?.startsWith('application/x-ndjson')) throw notPostil(url);
  try {
    for await (const chunk of response) yield chunk as Buffer;
  } catch (error) {
    throw new ConnectionLost(url, (error as NodeJS.ErrnoException).code);
  }
}
