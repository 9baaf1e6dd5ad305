import type { Change } from '../change/change.ts';
import { type ChangeSource, openChange } from '../change/change-source.ts';

/** Enough for a change, and the difference since its last review. */
const maxKept = 2;

interface Kept {
  readonly change: Promise<Change>;
  /** The number of current readers. */
  readers: number;
}

/**
 * A cache of the changes that were read last, because consecutive parts of a review read the same ones. Only the cache closes
 * them, and never while somebody reads one, unless the cache itself is closed.
 */
export class ChangeCache {
  readonly #kept = new Map<string, Kept>();
  readonly #open: typeof openChange;
  #isClosed = false;

  constructor(open = openChange) {
    this.#open = open;
  }

  /** Changes that `work` opens stay open until it is done, whatever others open meanwhile. */
  async serve<Result>(work: (open: typeof openChange) => Promise<Result>): Promise<Result> {
    const taken = new Set<Kept>();
    try {
      return await work(async (source) => {
        if (this.#isClosed) throw new Error('no change is opened any more');
        const kept = this.#take(source);
        if (!taken.has(kept)) kept.readers += 1;
        taken.add(kept);
        await this.#makeRoom();
        return kept.change;
      });
    } finally {
      for (const kept of taken) kept.readers -= 1;
      await this.#makeRoom();
    }
  }

  #take(source: ChangeSource): Kept {
    const key = JSON.stringify(source);
    const kept = this.#kept.get(key) ?? { change: this.#open(source), readers: 0 };
    // Moves it to the end of the map, so that it is evicted last.
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    kept.change.catch(() => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
    });
    return kept;
  }

  async #makeRoom(): Promise<void> {
    for (const [key, kept] of this.#kept) {
      if (this.#kept.size <= maxKept) return;
      if (kept.readers > 0) continue;
      this.#kept.delete(key);
      await closeOnceOpen(kept);
    }
  }

  /** Closes all changes, and opens no more: current readers fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const kept = [...this.#kept.values()];
    this.#kept.clear();
    for (const each of kept) await closeOnceOpen(each);
  }
}

/** A change that could not be opened holds no resources. */
async function closeOnceOpen({ change }: Kept): Promise<void> {
  await change.then((opened) => opened.close()).catch(() => {});
}
