import { setTimeout as sleep } from 'node:timers/promises';
import { type Kind, kinds, week, weekMs } from './week.ts';

/**
 * The actions that cause a review. They are held back while many reviews wait, so that on a busy machine the week takes
 * longer.
 */
const askForReviews: readonly Kind[] = ['pull request opened', 'push', 'review asked for by an agent'];
export const mostWaitingReviews = 40;

export interface Pace {
  readonly done: Record<Kind, number>;
  /** How long reviews were held back, in milliseconds. */
  heldBackMs: number;
  /** Stops all loops, after their current actions. */
  stop(): Promise<void>;
}

/** Repeats each kind of action as often as the week requires, evenly spaced. */
export function startPace(
  doings: Readonly<Record<Kind, () => Promise<unknown>>>,
  waitingReviews: () => number,
): Pace {
  const stopping = new AbortController();
  const { signal } = stopping;
  const done = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
  const pause = (ms: number) => sleep(Math.max(0, ms), undefined, { signal }).catch(() => {});

  async function loop(kind: Kind): Promise<void> {
    const everyMs = weekMs / week[kind];
    let next = performance.now() + everyMs * Math.random();
    while (!signal.aborted) {
      await pause(next - performance.now());
      const held = performance.now();
      while (!signal.aborted && askForReviews.includes(kind) && waitingReviews() > mostWaitingReviews)
        await pause(1_000);
      const heldMs = performance.now() - held;
      // Held-back actions are not caught up on, because the queue would be full again at once.
      if (heldMs > 500) next += heldMs;
      if (kind === 'pull request opened') pace.heldBackMs += heldMs;
      if (signal.aborted) return;
      if ((await doings[kind]()) !== false) done[kind] += 1;
      next += everyMs;
    }
  }
  const loops = kinds.map(loop);
  const pace: Pace = {
    done,
    heldBackMs: 0,
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
  return pace;
}
