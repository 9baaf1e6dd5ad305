import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledCodeEnvironment, siblingModule } from '../../lib/own-files.ts';
import { PartEnded, type PartLimit, receiveError, type SentError } from './part-failure.ts';
import { residentMemory } from './resident-memory.ts';

export type ToProcess =
  | { readonly kind: 'work'; readonly module: string; readonly request: unknown }
  | { readonly kind: 'deadline' };
export type ToParent =
  /** The process must not be used again after this part. */
  | { readonly kind: 'retired' }
  | { readonly kind: 'progress'; readonly progress: unknown }
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: SentError };

/** The limits of one part. */
export interface ProcessLimits {
  readonly memoryBytes: number;
  /** How long a part may take, and how long it may still run after the deadline of its review. */
  readonly partMs: number;
  readonly graceMs: number;
}

export interface Assignment {
  readonly module: string;
  readonly request: unknown;
  readonly signal: AbortSignal;
  readonly deadline?: AbortSignal | undefined;
  readonly onReport?: ((progress: unknown) => void) | undefined;
  readonly limits: ProcessLimits;
}

const main = fileURLToPath(siblingModule('../process-main', import.meta.url));
const memoryCheckMs = 200;
/**
 * Shares of the memory limit. Above the first, a process is not used for another change, because memory of WebAssembly never
 * shrinks. It is still used for the change that it has read, up to the second: reading a large change again for every part
 * would take longer than the parts.
 */
const spentShare = 0.6;
const fullShare = 0.85;
/** The share of the memory limit for the heap; the rest is for memory outside of it. */
const heapShare = 0.6;

/**
 * WebAssembly is compiled without optimization: for seconds of work, optimizing would cost five times as much. Semi-spaces of
 * the young generation are 8 MB, half of the default, which saves up to 60 MB of garbage at no cost in time. They start at that
 * size, because loaded modules stay: collecting them repeatedly while the space grows would take a tenth of the start-up.
 */
export const engineFlags = ['--liftoff-only', '--min-semi-space-size=8', '--max-semi-space-size=8'];

/** The running processes; killed when this process exits, because nobody would wait for their results. */
const living = new Set<ReviewProcess>();
process.once('exit', () => {
  for (const one of living) one.kill();
});

/** A review process, seen from its parent: it does one part at a time, and is killed if it exceeds a limit. */
export class ReviewProcess {
  readonly #child: ChildProcess;
  readonly #scratch = mkdtempSync(path.join(tmpdir(), 'postil-review-'));
  readonly #memoryBytes: number;
  readonly exited: Promise<void>;
  #limit: PartLimit | undefined;
  #hear: (message: ToParent) => void = () => {};
  #isGone = false;
  #isRetired = false;
  /** A key of the change that it read last, so that it is chosen again for the same change. */
  lastRead: string | undefined;

  constructor(memoryBytes: number) {
    this.#memoryBytes = memoryBytes;
    const heapMb = Math.floor((memoryBytes * heapShare) / 1024 / 1024);
    this.#child = fork(main, {
      // A separate process group: one signal ends it with everything that it started, and Ctrl-C only reaches the parent.
      detached: true,
      env: { ...compiledCodeEnvironment(), TMPDIR: this.#scratch },
      execArgv: [...engineFlags, `--max-old-space-size=${heapMb}`, '--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    living.add(this);
    this.#child.on('message', (message: ToParent) => this.#hear(message));
    this.exited = new Promise((resolve) => {
      const onEnd = () => {
        this.#isGone = true;
        living.delete(this);
        // If it crashed, processes that it started may still run.
        this.#signalGroup();
        rmSync(this.#scratch, { recursive: true, force: true, maxRetries: 3 });
        resolve();
      };
      this.#child.once('exit', onEnd);
      this.#child.once('error', onEnd);
    });
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Runs one part. Rejects with a `PartEnded` if it exceeds a limit, or if the process crashes. */
  async do({ module, request, signal, deadline, onReport, limits }: Assignment): Promise<unknown> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#hear = (message) => {
      if (message.kind === 'retired') this.#isRetired = true;
      if (message.kind === 'progress') onReport?.(message.progress);
      if (message.kind === 'result') resolve(message.result);
      if (message.kind === 'error') reject(receiveError(message.error));
    };
    const timers = new Set<NodeJS.Timeout>();
    const endAfter = (ms: number) => timers.add(setTimeout(() => this.#end('time'), ms));
    const onDeadline = () => {
      this.#send({ kind: 'deadline' });
      endAfter(limits.graceMs);
    };
    const onAbort = () => this.kill();
    signal.addEventListener('abort', onAbort, { once: true });
    deadline?.addEventListener('abort', onDeadline, { once: true });
    endAfter(limits.partMs);
    timers.add(setInterval(() => void this.#checkMemory(), memoryCheckMs));
    const died = this.exited.then(() => {
      signal.throwIfAborted();
      throw new PartEnded(this.#limit ?? (this.#child.signalCode === 'SIGABRT' ? 'memory' : 'crashed'));
    });
    try {
      this.#send({ kind: 'work', module, request });
      if (deadline?.aborted) onDeadline();
      return await Promise.race([promise, died]);
    } finally {
      died.catch(() => {});
      this.#hear = () => {};
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      deadline?.removeEventListener('abort', onDeadline);
    }
  }

  /** What it can be used for after a part: anything, only the change that it has read (`same`), or nothing. */
  async usableFor(): Promise<'anything' | 'same' | 'nothing'> {
    if (this.#isGone || this.#isRetired) return 'nothing';
    const share = (await residentMemory(this.#child.pid!)) / this.#memoryBytes;
    return share > fullShare ? 'nothing' : share > spentShare ? 'same' : 'anything';
  }

  /** Kills it and everything that it started, immediately. */
  kill(): void {
    this.#signalGroup();
    this.#child.kill('SIGKILL');
  }

  /** Allows the parent to exit while this process is running. */
  unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  ref(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  #send(message: ToProcess): void {
    // A dead process is noticed through `exited`.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  #end(limit: PartLimit): void {
    this.#limit ??= limit;
    this.kill();
  }

  async #checkMemory(): Promise<void> {
    const { pid } = this.#child;
    if (pid !== undefined && !this.#isGone && (await residentMemory(pid)) > this.#memoryBytes)
      this.#end('memory');
  }

  #signalGroup(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // the group no longer exists
    }
  }
}
