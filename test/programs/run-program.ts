import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';

export interface ProgramCall {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: Uint8Array;
}
export interface ToPrograms extends ProgramCall {
  readonly id: number;
  readonly file: string;
  readonly given: readonly string[];
}
export interface ProgramEnd {
  readonly id: number;
  readonly code: number | string | null;
  readonly out: Uint8Array;
  readonly err: Uint8Array;
}

const waiting = new Map<number, (end: ProgramEnd) => void>();
let programs: ChildProcess | undefined;
let calls = 0;

function start(): ChildProcess {
  const child = fork(path.join(import.meta.dirname, 'programs-main.ts'), {
    execArgv: [],
    serialization: 'advanced',
  });
  child.on('message', (end: ProgramEnd) => {
    waiting.get(end.id)!(end);
    waiting.delete(end.id);
    if (waiting.size === 0) child.channel?.unref();
  });
  child.unref();
  return child;
}

/**
 * Runs a program to its end, started by a small process: to start one from a process that has loaded the whole product takes
 * five times as long as Git takes to do what tests ask of it.
 */
export function runProgram(
  file: string,
  given: readonly string[],
  call: ProgramCall = {},
): Promise<ProgramEnd> {
  programs ??= start();
  calls += 1;
  const { promise, resolve } = Promise.withResolvers<ProgramEnd>();
  waiting.set(calls, resolve);
  programs.channel?.ref();
  programs.send({ id: calls, file, given, ...call } satisfies ToPrograms);
  return promise;
}

/** What Git writes; an error with what it complains about if it fails. */
export async function runTestGit(given: readonly string[], call: ProgramCall = {}): Promise<string> {
  const { code, out, err } = await runProgram('git', given, call);
  if (code === 0) return Buffer.from(out).toString().trim();
  const stderr = Buffer.from(err).toString();
  throw Object.assign(new Error(`Command failed: git ${given.join(' ')}\n${stderr}`), { code, stderr });
}
