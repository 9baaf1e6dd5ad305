import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';

export interface ProgramCall {
  readonly folder: string;
  /** All of its variables: none of this process are passed on. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** A program that was started. It tells its end as `close`, and as `error` that it could not be started or was not wanted any more. */
export interface StartedProgram extends EventEmitter {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  /** Whether it was ended from here. */
  readonly killed: boolean;
  kill(signal: 'SIGKILL'): boolean;
}

/** Started by this process itself. */
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
