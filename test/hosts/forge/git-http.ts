import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type http from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { runProgram } from '../../programs/run-program.ts';

const gitPath = /^\/(.+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/;

/** Parses the repository of a Git request over HTTP; undefined for any other request. */
export function gitRequest(pathname: string): { owner: string; name: string; rest: string } | undefined {
  const [, repository, rest] = gitPath.exec(pathname) ?? [];
  if (repository === undefined) return undefined;
  const parts = repository.split('/');
  return { owner: parts.slice(0, -1).join('/'), name: parts.at(-1)!, rest: rest! };
}

/** The token in an Authorization header of any scheme; undefined if there is none. */
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
 * Cached first responses of a fetch, by folder. Every fetch requests it, but since version 2 of the protocol it only lists Git's
 * capabilities, and nothing about the repository.
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

/** The configuration of Git at hosts: with filters, fetching any commit by its id, and pushes. */
const hostEnvironment = {
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_COUNT: '5',
  GIT_CONFIG_KEY_0: 'uploadpack.allowFilter',
  GIT_CONFIG_VALUE_0: 'true',
  GIT_CONFIG_KEY_1: 'uploadpack.allowAnySHA1InWant',
  GIT_CONFIG_VALUE_1: 'true',
  GIT_CONFIG_KEY_2: 'safe.directory',
  GIT_CONFIG_VALUE_2: '*',
  GIT_CONFIG_KEY_3: 'http.receivepack',
  GIT_CONFIG_VALUE_3: 'true',
  GIT_CONFIG_KEY_4: 'receive.autogc',
  GIT_CONFIG_VALUE_4: 'false',
};

/** Passes a request to Git's own server, and returns its answer. */
async function askBackend(
  folder: string,
  rest: string,
  request: http.IncomingMessage,
  input: Buffer,
): Promise<GitAnswer> {
  const { out } = await runProgram('git', ['http-backend'], {
    input,
    env: {
      PATH: process.env.PATH,
      ...hostEnvironment,
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
  return readAnswer(Buffer.from(out));
}

/** Reads the refs of a repository from its files. */
async function readRefs(folder: string): Promise<string> {
  const entries = await readdir(path.join(folder, 'refs'), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  const read = (file: string) => readFile(file, 'latin1').catch(() => '');
  const others = ['HEAD', 'packed-refs'].map((name) => path.join(folder, name));
  return (
    await Promise.all([...others, ...files.sort()].map(async (file) => `${file} ${await read(file)}`))
  ).join('\n');
}

/** Cached lists of refs, with the refs for which they are valid: every fetch requests the list first. */
const saidOfRefs = new Map<string, { readonly refs: string; readonly body: Buffer }>();

/** Whether Git's own server would only pass the request on to `git upload-pack`, as for `git fetch`. */
const isReading = (rest: string, { method, headers }: http.IncomingMessage) =>
  rest === 'git-upload-pack' &&
  method === 'POST' &&
  headers['git-protocol'] === 'version=2' &&
  headers['content-type'] === 'application/x-git-upload-pack-request';

async function askToRead(folder: string, request: http.IncomingMessage, input: Buffer): Promise<GitAnswer> {
  const asked = request.headers['content-encoding'] === 'gzip' ? gunzipSync(input) : input;
  const key = asked.includes('command=ls-refs') ? `${folder}\0${asked.toString('latin1')}` : undefined;
  const refs = key === undefined ? '' : await readRefs(folder);
  const known = key === undefined ? undefined : saidOfRefs.get(key);
  const headers = {
    'Content-Type': 'application/x-git-upload-pack-result',
    'Cache-Control': 'no-cache, max-age=0, must-revalidate',
  };
  if (known?.refs === refs) return { status: 200, headers, body: known.body };
  const { out, code } = await runProgram('git', ['upload-pack', '--stateless-rpc', '--strict', folder], {
    input: asked,
    env: { PATH: process.env.PATH, ...hostEnvironment, GIT_PROTOCOL: 'version=2' },
  });
  const body = Buffer.from(out);
  if (key !== undefined && code === 0) saidOfRefs.set(key, { refs, body });
  return { status: 200, headers, body };
}

/** Serves a bare repository with Git's own programs, as hosts do. */
export async function serveGit(
  folder: string,
  rest: string,
  request: http.IncomingMessage,
  response: http.ServerResponse,
  /** Whether the sender learns how it ended. */
  onEnd: () => Promise<boolean>,
): Promise<void> {
  const input = await buffer(request).catch(() => undefined);
  if (input === undefined) return; // the sender is gone
  const isHere = existsSync(folder);
  const canGreet = isGreeting(rest, request);
  const known = canGreet && isHere ? greetings.get(folder) : undefined;
  if (known !== undefined) return void response.writeHead(known.status, known.headers).end(known.body);
  const answer =
    isHere && isReading(rest, request)
      ? await askToRead(folder, request, input)
      : await askBackend(folder, rest, request, input);
  if (!(await onEnd())) return void request.destroy();
  if (canGreet && answer.status === 200) greetings.set(folder, answer);
  response.writeHead(answer.status, answer.headers).end(answer.body);
}
