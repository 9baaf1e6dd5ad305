import type { Change } from '../change/change.ts';
import { type ChangeSource, openChange } from '../change/change-source.ts';

/** A change, and what differs since it was last reviewed. */
const maxKept = 2;

interface Kept {
  readonly change: Promise<Change>;
  /** How many are reading it. */
  readers: number;
}

/**
 * Keeps the changes that were read last, because the parts of a review that follow each other read the same ones. It alone closes
 * them, and none that somebody is reading, unless it is closed itself.
 */
export class ChangeShelf {
  readonly #kept = new Map<string, Kept>();
  readonly #open: typeof openChange;
  #isClosed = false;

  constructor(open = openChange) {
    this.#open = open;
  }

  /** What `work` opens stays open until it is done, whatever others open meanwhile. */
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
    // As the last one, which is kept the longest.
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

  /** Closes all of them, and opens none from now on: whoever is reading one fails. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const kept = [...this.#kept.values()];
    this.#kept.clear();
    for (const each of kept) await closeOnceOpen(each);
  }
}

/** One that could not be opened holds nothing. */
async function closeOnceOpen({ change }: Kept): Promise<void> {
  await change.then((opened) => opened.close()).catch(() => {});
}
