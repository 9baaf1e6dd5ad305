import { AsyncLocalStorage } from 'node:async_hooks';

/** Something that this process works on. A schedule is called a job here, as in the logs and metrics that tell of it. */
export interface InHand {
  readonly kind: 'request' | 'unit of work' | 'webhook delivery' | 'job';
  readonly name: string;
  /** Which of its kind, such as the id of a run or request. */
  readonly key?: string;
}

const maxListed = 20;
const current = new AsyncLocalStorage<InHand>();
const all = new Set<InHand>();

/** Does something so that the watchdog can say what it was, should it never end. */
export async function whileInHand<Result>(what: InHand, work: () => Promise<Result>): Promise<Result> {
  all.add(what);
  try {
    return await current.run(what, work);
  } finally {
    all.delete(what);
  }
}

/** The same for what begins and ends with callbacks; returns what is to be called at its end. */
export function takeInHand(what: InHand, begin: () => void): () => void {
  all.add(what);
  current.run(what, begin);
  return () => all.delete(what);
}

/** What the code that runs at this moment belongs to. */
export const nowInHand = (): InHand | undefined => current.getStore();

/** Everything that was begun and has not ended, the oldest first. */
export const allInHand = (): InHand[] => [...all.values().take(maxListed)];
