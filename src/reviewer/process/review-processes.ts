import { availableParallelism } from 'node:os';
import { FairQueue } from './fair-queue.ts';
import type { Part, PartModule, PartOrder, PartResult, ReviewProcesses } from './part.ts';
import { PartEnded, type PartLimit } from './part-failure.ts';
import { defaultMemoryMb } from './process-defaults.ts';
import { type ProcessLimits, ReviewProcess } from './review-process.ts';

export interface ReviewProcessSettings {
  /** The maximum number of processes; by default, one less than there are processors. */
  readonly count?: number | undefined;
  readonly memoryMb?: number | undefined;
  /** How long a part may take, and how long it may still run after the deadline of its review. */
  readonly partMs?: number;
  readonly graceMs?: number;
  /** Called for each part that did not complete. */
  readonly onEnded?: (limit: PartLimit) => void;
}

export const defaultProcessCount = Math.max(1, availableParallelism() - 1);

/** No part may take longer, because others wait for the process. */
const partMs = 60_000;
/** The limit for parts that somebody waits for. */
const urgentMs = 20_000;
const defaultGraceMs = 5_000;
/** How long an idle process is kept: starting one takes a few tenths of a second, and an idle one holds some 60 MB. */
const idleMs = 30_000;

interface Waiting {
  readonly part: Part<PartModule>;
  readonly request: unknown;
  readonly order: PartOrder;
  readonly settle: { resolve(result: unknown): void; reject(error: unknown): void };
}

/** The waiting parts of one kind, and how many of them may run at once. */
interface Lane {
  readonly queue: FairQueue<Waiting>;
  readonly places: number;
  readonly limits: ProcessLimits;
  busy: number;
}

/**
 * The processes that read untrusted code (ADR 0103). They start on demand and end after being idle for a while. Organizations
 * take turns. Urgent parts have a process of their own, so that no review delays them.
 */
export function createReviewProcesses(settings: ReviewProcessSettings = {}): ReviewProcesses {
  const memoryBytes = (settings.memoryMb ?? defaultMemoryMb) * 1024 * 1024;
  const graceMs = settings.graceMs ?? defaultGraceMs;
  const lane = (places: number, ms: number): Lane => ({
    queue: new FairQueue(),
    places,
    limits: { memoryBytes, partMs: ms, graceMs },
    busy: 0,
  });
  const [reviews, urgent] = [
    lane(settings.count ?? defaultProcessCount, settings.partMs ?? partMs),
    lane(1, urgentMs),
  ];
  const idle = new Map<ReviewProcess, NodeJS.Timeout>();
  const all = new Set<ReviewProcess>();
  /** Processes that have grown, and are only used for the change that they have read. */
  const spent = new WeakSet<ReviewProcess>();
  let isStopped = false;

  function start(): ReviewProcess {
    const started = new ReviewProcess(memoryBytes);
    all.add(started);
    void started.exited.then(() => {
      all.delete(started);
      clearTimeout(idle.get(started));
      idle.delete(started);
    });
    return started;
  }

  /** A process that has read the same change, otherwise any idle one, otherwise a new one. */
  function choose(read: string | undefined): ReviewProcess {
    const candidates = [...idle.keys()].filter(({ isGone }) => !isGone);
    const same = candidates.find(({ lastRead }) => read !== undefined && lastRead === read);
    const chosen = same ?? candidates.find((one) => !spent.has(one)) ?? start();
    // Kills processes that cannot be used for this change, so that there are never more than the limit.
    if (same === undefined) for (const one of candidates) if (spent.has(one)) one.kill();
    clearTimeout(idle.get(chosen));
    idle.delete(chosen);
    chosen.ref();
    return chosen;
  }

  async function putBack(used: ReviewProcess): Promise<void> {
    const use = isStopped ? 'nothing' : await used.usableFor();
    if (use === 'nothing') return used.kill();
    if (use === 'same') spent.add(used);
    used.unref();
    idle.set(used, setTimeout(() => used.kill(), idleMs).unref());
  }

  async function attempt({ part, request, order }: Waiting, { limits }: Lane): Promise<unknown> {
    const read = changeIn(request);
    const chosen = choose(read);
    try {
      const result = await chosen.do({ module: part.module, request, ...order, limits });
      chosen.lastRead = read;
      return result;
    } finally {
      await putBack(chosen);
    }
  }

  async function work(waiting: Waiting, at: Lane): Promise<void> {
    const { settle, order } = waiting;
    at.busy += 1;
    try {
      const result = await attempt(waiting, at).catch((error: unknown) => {
        const isAccident = error instanceof PartEnded && error.limit === 'crashed' && !isStopped;
        if (isAccident && !order.signal.aborted) return attempt(waiting, at);
        throw error;
      });
      settle.resolve(result);
    } catch (error) {
      if (error instanceof PartEnded && !isStopped) settings.onEnded?.(error.limit);
      settle.reject(error);
    } finally {
      at.busy -= 1;
      next(at);
    }
  }

  function next(at: Lane): void {
    while (at.busy < at.places) {
      const waiting = at.queue.take();
      if (waiting === undefined) return;
      void work(waiting, at);
    }
  }

  return {
    warm: () => void putBack(start()),
    async run(part, request, order) {
      const { signal, deadline, group } = order;
      signal.throwIfAborted();
      if (isStopped) throw new Error('the review processes have been stopped');
      const at = order.isUrgent ? urgent : reviews;
      const { promise, ...settle } = Promise.withResolvers<unknown>();
      const waiting: Waiting = { part, request, order, settle };
      // Only while the part is in the queue: a running one is ended by its process.
      const leave = (error: unknown) => {
        if (at.queue.remove(group, waiting)) settle.reject(error);
      };
      const onAbort = () => leave(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      at.queue.add(group, waiting);
      next(at);
      const overdue = deadline && onceAborted(deadline, graceMs, () => leave(new PartEnded('time')));
      try {
        return (await promise) as PartResult<never>;
      } finally {
        signal.removeEventListener('abort', onAbort);
        overdue?.();
      }
    },
    async stop() {
      isStopped = true;
      const left = [...all];
      for (const one of left) {
        one.ref();
        one.kill();
      }
      await Promise.all(left.map(({ exited }) => exited));
    },
  };
}

/** Calls back some time after a signal has aborted; the returned function cancels that. */
function onceAborted(signal: AbortSignal, ms: number, call: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer = setTimeout(call, ms);
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return () => {
    signal.removeEventListener('abort', begin);
    clearTimeout(timer);
  };
}

/** A key of the change that a part reads; undefined if it reads none. */
function changeIn(request: unknown): string | undefined {
  const { change } = (request ?? {}) as { change?: unknown };
  return change === undefined ? undefined : JSON.stringify(change);
}
