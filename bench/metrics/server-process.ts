import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';

export const operatorToken = 'operator-token-of-the-bench';
const root = path.join(import.meta.dirname, '../..');

/** A process that has printed its address. */
export interface ServerProcess {
  readonly pid: number;
  readonly url: string;
  readonly startedInMs: number;
  residentMegabytes(): Promise<number>;
  /** The processor time used so far, which does not depend on other load on the machine. */
  cpuSeconds(): Promise<number>;
  /** Calls the operator API, which must accept the request, and returns the body of the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: benchmarks read the figures from the server's responses
  operator(method: string, path: string, body?: unknown): Promise<any>;
  stop(): Promise<void>;
}

async function addressOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const [url] = /http:\/\/[^\s)]+/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the server ended before it was ready');
}

/** Node's options in `npm start`. Peers are started without options. */
export const ownOptions = ['--max-semi-space-size=16'];

/** Starts a script of this project as a process of its own and waits until it prints its address. */
export async function startProcess(
  script: string,
  env: Record<string, string>,
  options: readonly string[] = [],
): Promise<ServerProcess> {
  const begin = performance.now();
  const child = spawn(process.execPath, [...options, path.resolve(root, script)], {
    env: {
      ...process.env,
      // Like `npm start`.
      NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/postil'),
      POSTIL_PORT: '0',
      POSTIL_LOG_LEVEL: 'error',
      POSTIL_OPERATOR_TOKEN: operatorToken,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const url = await addressOf(child);
  child.stdout!.resume();
  return {
    url,
    pid: child.pid!,
    startedInMs: performance.now() - begin,
    async residentMegabytes() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
    },
    async cpuSeconds() {
      const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8').catch(() => '');
      // User and system time, in hundredths of a second; the name before them may contain spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    async operator(method, path, body) {
      const answer = await fetch(`${url}/operator/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return answer.json();
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Starts our server as `npm start` does. */
export function startServer(env: Record<string, string>): Promise<ServerProcess> {
  return startProcess('src/main.ts', env, ownOptions);
}
