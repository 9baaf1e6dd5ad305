/** Counts how often something went well, by any number of names. */
export class Tally {
  readonly #counts = new Map<string, { good: number; of: number }>();

  add(isGood: boolean, ...names: readonly string[]): void {
    for (const name of names) {
      const count = this.#counts.get(name) ?? { good: 0, of: 0 };
      count.good += Number(isGood);
      count.of += 1;
      this.#counts.set(name, count);
    }
  }

  lines(): string[] {
    return [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { good, of }]) => `| ${name} | ${good} of ${of} | ${((100 * good) / of).toFixed(1)} % |`);
  }
}
