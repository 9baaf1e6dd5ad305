import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const main = path.join(import.meta.dirname, '../../src/main.ts');

/** Postil as an operator runs it, to be killed and started again on the same data folder and port. */
export interface PostilProcess {
  start(): Promise<void>;
  kill(): Promise<void>;
  call(method: string, path: string, body?: unknown, key?: string): Promise<Answer>;
  remove(): Promise<void>;
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into it
  readonly json: any;
}

/** Prepares a Postil with a data folder of its own; it listens at this port of the loopback. */
export async function createPostilProcess(port: number): Promise<PostilProcess> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-killed-'));
  const address = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals) => {
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    child = undefined;
  };
  return {
    async start() {
      const env = { ...process.env, POSTIL_PORT: String(port), POSTIL_DATA_DIR: folder };
      const started = spawn(process.execPath, [main], {
        env: { ...env, POSTIL_LOG_LEVEL: 'silent', POSTIL_PUBLIC_URL: address },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child = started;
      const [line] = (await once(started.stdout, 'data')) as [Buffer];
      assert.match(line.toString(), /ready at/);
      started.stdout.resume();
    },
    kill: () => end('SIGKILL'),
    async call(method, at, body, key) {
      const token = (await readFile(path.join(folder, 'operator-token'), 'utf8')).trim();
      const headers = key === undefined ? { authorization: `Bearer ${token}` } : { 'x-service-api-key': key };
      const answer = await fetch(address + at, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) };
    },
    async remove() {
      await end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
