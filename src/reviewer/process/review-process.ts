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
  /** Not to be used again after this part. */
  | { readonly kind: 'retired' }
  | { readonly kind: 'progress'; readonly progress: unknown }
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: SentError };

/** What one part may use up. */
export interface ProcessLimits {
  readonly memoryBytes: number;
  /** How long a part may take, and how long after the deadline of its review it may come to its end. */
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
 * A process that has grown so far is not used for another change: memory of WebAssembly never shrinks. For the one that it has
 * read it is, up to a higher bound: reading a large change again for every part would take longer than the parts.
 */
const spentShare = 0.6;
const fullShare = 0.85;
/** The rest is for what is outside of the heap. */
const heapShare = 0.6;

/**
 * WebAssembly is compiled once and not optimized any further: for seconds of work, optimizing costs five times that. What is
 * young may take 8 MB, half of what it takes by default: that saves up to 60 MB of garbage and costs no time. It may do so from
 * the beginning, since what is loaded stays: to collect it again and again while the room grows is a tenth of the start.
 */
export const engineFlags = ['--liftoff-only', '--min-semi-space-size=8', '--max-semi-space-size=8'];

/** Processes that live; those that this process leaves behind would go on for nobody. */
const living = new Set<ReviewProcess>();
process.once('exit', () => {
  for (const one of living) one.kill();
});

/** One review process, as its parent sees it: it does one part at a time, and is ended from outside when it takes too much. */
export class ReviewProcess {
  readonly #child: ChildProcess;
  readonly #scratch = mkdtempSync(path.join(tmpdir(), 'postil-review-'));
  readonly #memoryBytes: number;
  readonly exited: Promise<void>;
  #limit: PartLimit | undefined;
  #hear: (message: ToParent) => void = () => {};
  #isGone = false;
  #isRetired = false;
  /** What it read last, so that it is asked again for the same. */
  lastRead: string | undefined;

  constructor(memoryBytes: number) {
    this.#memoryBytes = memoryBytes;
    const heapMb = Math.floor((memoryBytes * heapShare) / 1024 / 1024);
    this.#child = fork(main, {
      // A group of its own: one signal ends it with everything that it started, and Ctrl-C is for its parent alone.
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
        // What it started may be left, if it died by itself.
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

  /** Does one part. Rejects with a PartEnded if it took too much, or if the process died by itself. */
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

  /** For what it can be used after a part: anything, only what it has read already, or nothing. */
  async usableFor(): Promise<'anything' | 'same' | 'nothing'> {
    if (this.#isGone || this.#isRetired) return 'nothing';
    const share = (await residentMemory(this.#child.pid!)) / this.#memoryBytes;
    return share > fullShare ? 'nothing' : share > spentShare ? 'same' : 'anything';
  }

  /** Ends it and everything that it started, at once. */
  kill(): void {
    this.#signalGroup();
    this.#child.kill('SIGKILL');
  }

  /** Lets the parent end although it is there. */
  unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  ref(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  #send(message: ToProcess): void {
    // One that is gone is noticed by its end.
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
      // nothing of it is left
    }
  }
}
