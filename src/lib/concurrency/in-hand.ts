import { AsyncLocalStorage } from 'node:async_hooks';

/** Something that this process is working on. A schedule is called a job here, as in logs and metrics. */
export interface InHand {
  readonly kind: 'request' | 'unit of work' | 'webhook delivery' | 'job';
  readonly name: string;
  /** Identifies it among others of its kind, such as the id of a run or request. */
  readonly key?: string;
}

const maxListed = 20;
const current = new AsyncLocalStorage<InHand>();
const all = new Set<InHand>();

/** Runs work and registers it, so that the watchdog can name it if it never ends. */
export async function whileInHand<Result>(what: InHand, work: () => Promise<Result>): Promise<Result> {
  all.add(what);
  try {
    return await current.run(what, work);
  } finally {
    all.delete(what);
  }
}

/** The same for work that starts and ends with callbacks; returns the callback to call at its end. */
export function takeInHand(what: InHand, begin: () => void): () => void {
  all.add(what);
  current.run(what, begin);
  return () => all.delete(what);
}

/** The work that the currently executing code belongs to; undefined if none is registered. */
export const nowInHand = (): InHand | undefined => current.getStore();

/** The unfinished work, oldest first, at most 20. */
export const allInHand = (): InHand[] => [...all.values().take(maxListed)];
