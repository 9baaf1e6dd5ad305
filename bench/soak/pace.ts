import { setTimeout as sleep } from 'node:timers/promises';
import { type Kind, kinds, week, weekMs } from './week.ts';

/** What asks for a review: held back while many wait already, so that a busy machine stretches the week. */
const askForReviews: readonly Kind[] = ['pull request opened', 'push', 'review asked for by an agent'];
export const mostWaitingReviews = 40;

export interface Pace {
  readonly done: Record<Kind, number>;
  /** Milliseconds in which reviews were held back. */
  heldBackMs: number;
  /** Ends all of it once what is under way is done. */
  stop(): Promise<void>;
}

/** Repeats each kind as often as a week has it, evenly. */
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
      // What was held back is not made up for: the queue would fill up again at once.
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
