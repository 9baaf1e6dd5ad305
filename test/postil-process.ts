import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { childEnvironment } from './child-environment.ts';
import { removeFolder } from './remove-folder.ts';

const main = path.join(import.meta.dirname, '../src/main.ts');

/** A process of Postil as in production, which can be killed and restarted on the same data folder. */
export interface PostilProcess {
  start(): Promise<void>;
  /** The URL since its last start. */
  url(): string;
  kill(): Promise<void>;
  /** Waits until it ends by itself: the exit code and the signal. */
  ended(): Promise<unknown[]>;
  /** The id of the running process. */
  pid(): number;
  /** The peak memory of this process in MiB; 0 if the system does not report it. */
  peakMebibytes(): Promise<number>;
  call(method: string, path: string, body?: unknown, key?: string): Promise<Answer>;
  remove(): Promise<void>;
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into it
  readonly json: any;
}

/** Prepares a process with these settings; by default with a new data folder and on any free port. */
export async function createPostilProcess(
  settings: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<PostilProcess> {
  const folder = settings.POSTIL_DATA_DIR ?? (await mkdtemp(path.join(tmpdir(), 'postil-killed-')));
  const env = {
    ...childEnvironment,
    POSTIL_PORT: '0',
    POSTIL_DATA_DIR: folder,
    POSTIL_LOG_LEVEL: 'silent',
    ...settings,
  };
  let child: ChildProcess | undefined;
  let address = '';
  const end = async (signal: NodeJS.Signals) => {
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    child = undefined;
  };
  return {
    async start() {
      const started = spawn(process.execPath, [...flags, main], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child = started;
      const lines = createInterface({ input: started.stdout });
      const [line] = await Promise.race([once(lines, 'line'), once(started, 'exit').then(() => ['nothing'])]);
      lines.close();
      started.stdout.resume();
      address = /ready at (http:\S+)/.exec(line)?.[1] ?? '';
      assert.ok(address, `no address in: ${line}`);
    },
    url: () => address,
    kill: () => end('SIGKILL'),
    async ended() {
      const { exitCode, signalCode } = child!;
      const how =
        exitCode === null && signalCode === null ? await once(child!, 'exit') : [exitCode, signalCode];
      child = undefined;
      return how;
    },
    pid: () => child!.pid!,
    async peakMebibytes() {
      const status = await readFile(`/proc/${child!.pid}/status`, 'utf8').catch(() => '');
      return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
    },
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
      await removeFolder(folder);
    },
  };
}
