import type { Change } from '../change/change.ts';
import { type ChangeSource, openChange } from '../change/change-source.ts';

/** A change, and what differs since it was last reviewed. */
const maxKept = 2;

/** Keeps the changes that were read last, because the parts of a review that follow each other read the same ones. */
export class ChangeShelf {
  readonly #kept = new Map<string, Promise<Change>>();
  readonly #open: typeof openChange;

  constructor(open = openChange) {
    this.#open = open;
  }

  async open(source: ChangeSource): Promise<Change> {
    const key = JSON.stringify(source);
    const change = this.#kept.get(key) ?? this.#open(source);
    this.#kept.delete(key);
    this.#kept.set(key, change);
    change.catch(() => this.#kept.delete(key));
    for (const [oldest, kept] of this.#kept) {
      if (this.#kept.size <= maxKept) break;
      this.#kept.delete(oldest);
      await kept.then((old) => old.close()).catch(() => {});
    }
    return change;
  }

  async close(): Promise<void> {
    const kept = [...this.#kept.values()];
    this.#kept.clear();
    for (const change of kept) await change.then((old) => old.close()).catch(() => {});
  }
}
