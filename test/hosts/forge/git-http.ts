import { existsSync } from 'node:fs';
import type http from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { runProgram } from '../../programs/run-program.ts';

const gitPath = /^\/(.+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/;

/** The repository that a request of Git over HTTP is about; undefined if it is another request. */
export function gitRequest(pathname: string): { owner: string; name: string; rest: string } | undefined {
  const [, repository, rest] = gitPath.exec(pathname) ?? [];
  if (repository === undefined) return undefined;
  const parts = repository.split('/');
  return { owner: parts.slice(0, -1).join('/'), name: parts.at(-1)!, rest: rest! };
}

/** The token in an Authorization header, whichever way it is sent. */
export function tokenOf(authorization: string | undefined): string | undefined {
  const [scheme, value = ''] = (authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'basic') return value === '' ? undefined : value;
  const [user = '', password = ''] = Buffer.from(value, 'base64').toString().split(':');
  return password === '' || password === 'x-oauth-basic' ? user : password;
}

/** Whether a request would change a repository. */
export function isPush(pathname: string, query: URLSearchParams): boolean {
  return pathname.endsWith('/git-receive-pack') || query.get('service') === 'git-receive-pack';
}

interface GitAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/**
 * What is said at the beginning of reading, by folder: since version 2 of the protocol it names what Git can do and nothing
 * of the repository, but every fetch asks for it.
 */
const greetings = new Map<string, GitAnswer>();

function isGreeting(rest: string, { url, headers }: http.IncomingMessage): boolean {
  return (
    rest === 'info/refs' &&
    url!.endsWith('?service=git-upload-pack') &&
    headers['git-protocol'] === 'version=2'
  );
}

function readAnswer(said: Buffer): GitAnswer {
  const end = said.indexOf('\r\n\r\n');
  const lines = said.subarray(0, end).toString().split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
  return { status: Number.parseInt(headers.Status ?? '200', 10), headers, body: said.subarray(end + 4) };
}

/** Serves a bare repository by Git's own program as hosts do: with filters, and any commit by its id. */
export async function serveGit(
  folder: string,
  rest: string,
  request: http.IncomingMessage,
  response: http.ServerResponse,
  /** Whether the sender learns how it ended. */
  onEnd: () => boolean,
): Promise<void> {
  const input = await buffer(request).catch(() => undefined);
  if (input === undefined) return; // the sender is gone
  const canGreet = isGreeting(rest, request);
  const known = canGreet && existsSync(folder) ? greetings.get(folder) : undefined;
  if (known !== undefined) return void response.writeHead(known.status, known.headers).end(known.body);
  const { out } = await runProgram('git', ['http-backend'], {
    input,
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_COUNT: '4',
      GIT_CONFIG_KEY_0: 'uploadpack.allowFilter',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_CONFIG_KEY_1: 'uploadpack.allowAnySHA1InWant',
      GIT_CONFIG_VALUE_1: 'true',
      GIT_CONFIG_KEY_2: 'safe.directory',
      GIT_CONFIG_VALUE_2: '*',
      GIT_CONFIG_KEY_3: 'http.receivepack',
      GIT_CONFIG_VALUE_3: 'true',
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROJECT_ROOT: path.dirname(folder),
      PATH_INFO: `/${path.basename(folder)}/${rest}`,
      REQUEST_METHOD: request.method,
      QUERY_STRING: new URL(request.url!, 'http://double').search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  });
  if (!onEnd()) return void request.destroy();
  const answer = readAnswer(Buffer.from(out));
  if (canGreet && answer.status === 200) greetings.set(folder, answer);
  response.writeHead(answer.status, answer.headers).end(answer.body);
}
