/** How many groups are remembered as served; older ones count as not served. */
const maxRemembered = 1_000;

/** A queue with turns: the group that was served longest ago comes first, so that none waits for two items of another. */
export class FairQueue<Item> {
  readonly #waiting = new Map<string, Item[]>();
  /** The groups that were served, the most recent one last. */
  readonly #served = new Set<string>();

  add(group: string, item: Item): void {
    const own = this.#waiting.get(group);
    if (own === undefined) this.#waiting.set(group, [item]);
    else own.push(item);
  }

  take(): Item | undefined {
    const group = this.#next();
    if (group === undefined) return undefined;
    const own = this.#waiting.get(group)!;
    const item = own.shift();
    if (own.length === 0) this.#waiting.delete(group);
    this.#served.delete(group);
    this.#served.add(group);
    const [oldest] = this.#served;
    if (this.#served.size > maxRemembered) this.#served.delete(oldest!);
    return item;
  }

  /** Removes an item; returns whether it was still waiting. */
  remove(group: string, item: Item): boolean {
    const own = this.#waiting.get(group);
    const index = own?.indexOf(item) ?? -1;
    if (own === undefined || index === -1) return false;
    own.splice(index, 1);
    if (own.length === 0) this.#waiting.delete(group);
    return true;
  }

  #next(): string | undefined {
    for (const group of this.#waiting.keys()) if (!this.#served.has(group)) return group;
    for (const group of this.#served) if (this.#waiting.has(group)) return group;
    return undefined;
  }
}
