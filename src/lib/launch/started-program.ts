import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';

export interface ProgramCall {
  readonly folder: string;
  /** The complete environment of the program; no variables of this process are passed on. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** A program that was started. It emits `close` when it has ended, and `error` if it could not be started or was aborted. */
export interface StartedProgram extends EventEmitter {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  /** Whether this process has ended it. */
  readonly killed: boolean;
  kill(signal: 'SIGKILL'): boolean;
}

/** Starts a program directly from this process. */
export function startHere(program: string, args: readonly string[], call: ProgramCall): StartedProgram {
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(program, args, {
    cwd: call.folder,
    env: call.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    signal: call.signal,
    killSignal: 'SIGKILL',
  });
  return child;
}
