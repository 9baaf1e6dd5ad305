/** Where a finding is and what it says, as far as it tells alike findings of one file apart. */
export interface Place {
  readonly startLine: number;
  readonly endLine: number;
  readonly startColumn: number | null;
  readonly endColumn: number | null;
  /** Stands for title and description. */
  readonly text: string;
}

/** Comparing old places with new ones is worth it up to so many pairs; beyond, order alone decides. */
const MAX_PAIRS = 400_000;

type Move = { readonly known: number; readonly found: number; readonly distance: number };

/** The order of places in their file. */
export function comparePlaces(a: Place, b: Place): number {
  return (
    a.startLine - b.startLine ||
    (a.startColumn ?? 0) - (b.startColumn ?? 0) ||
    a.endLine - b.endLine ||
    (a.endColumn ?? 0) - (b.endColumn ?? 0) ||
    (a.text < b.text ? -1 : Number(a.text > b.text))
  );
}

const wholePlace = ({ startLine, endLine, startColumn, endColumn }: Place) =>
  `${startLine}:${startColumn}-${endLine}:${endColumn}`;

/** One entry per place in `found`: the index of the known place that it continues, or null for a new one. */
export type Matches = (number | null)[];

/**
 * Tells which of the known places the found ones are; both in their order. Equal places come first, then equal texts,
 * then the order: what is left between two matches moved there together, as lines move in blocks. A place that lies on
 * the other side of a match is not the same one, so that a fixed finding does not hand its id to a new one.
 */
export function matchPlaces(known: readonly Place[], found: readonly Place[]): Matches {
  const matching = new Matching(known, found);
  matching.pairEqual((place) => `${wholePlace(place)} ${place.text}`);
  matching.pairEqual((place) => `${place.startLine} ${place.text}`);
  matching.pairMoved((a, b) => a.text === b.text);
  matching.pairEqual(wholePlace);
  matching.pairEqual((place) => String(place.startLine));
  matching.pairMoved(() => true);
  return matching.matches;
}

/** The same where only a finding at the very same place is meant. */
export function matchEqualPlaces(known: readonly Place[], found: readonly Place[]): Matches {
  const matching = new Matching(known, found);
  matching.pairEqual((place) => `${wholePlace(place)} ${place.text}`);
  matching.pairEqual((place) => `${place.startLine} ${place.text}`);
  return matching.matches;
}

class Matching {
  readonly matches: Matches;
  readonly #known: readonly Place[];
  readonly #found: readonly Place[];
  readonly #taken = new Set<number>();

  constructor(known: readonly Place[], found: readonly Place[]) {
    this.#known = known;
    this.#found = found;
    this.matches = found.map(() => null);
  }

  /** Pairs what has the same key, in order. */
  pairEqual(keyOf: (place: Place) => string): void {
    const { known, found } = this.#left();
    if (known.length === 0 || found.length === 0) return;
    const byKey = Map.groupBy(known, (index) => keyOf(this.#known[index]!));
    for (const index of found) {
      const match = byKey.get(keyOf(this.#found[index]!))?.shift();
      if (match !== undefined) this.#pair(match, index);
    }
  }

  /** Pairs what moved by the same number of lines, the most common distance first and of several the shortest. */
  pairMoved(isAlike: (a: Place, b: Place) => boolean): void {
    for (let budget = MAX_PAIRS; ; ) {
      const pairs = this.#pairsInSpans(isAlike, budget);
      budget -= pairs.length;
      if (pairs.length === 0) return;
      const best = budget > 0 ? commonestDistance(pairs) : null;
      for (const { known, found, distance } of pairs) {
        const isFree = this.matches[found] === null && !this.#taken.has(known);
        if (isFree && (best === null || distance === best)) this.#pair(known, found);
      }
    }
  }

  /** What may have moved where: between the same matches, and in large groups only to about the same place in the order. */
  #pairsInSpans(isAlike: (a: Place, b: Place) => boolean, budget: number): Move[] {
    const { known, found } = this.#left();
    const spans = this.#spans();
    const knownBySpan = Map.groupBy(known, (index) => spans.ofKnown(this.#known[index]!.startLine));
    const foundBySpan = Map.groupBy(found, (index) => spans.ofFound(this.#found[index]!.startLine));
    const reach = Math.max(1, Math.floor(budget / (8 * found.length + 1)));
    const pairs: Move[] = [];
    for (const [span, targets] of foundBySpan) {
      const sources = knownBySpan.get(span) ?? [];
      for (const [at, to] of targets.entries()) {
        for (const from of sources.slice(Math.max(0, at - reach), at + reach + 1)) {
          const [before, after] = [this.#known[from]!, this.#found[to]!];
          if (isAlike(before, after))
            pairs.push({ known: from, found: to, distance: after.startLine - before.startLine });
        }
      }
    }
    return pairs;
  }

  /** Numbers the stretches between the matches so far, on both sides alike. */
  #spans() {
    const pairs = this.matches.flatMap((match, index) =>
      match === null ? [] : [[this.#known[match]!.startLine, this.#found[index]!.startLine] as const],
    );
    const before = pairs.map(([from]) => from).sort((a, b) => a - b);
    const after = pairs.map(([, to]) => to).sort((a, b) => a - b);
    return {
      ofKnown: (line: number) => countUpTo(before, line),
      ofFound: (line: number) => countUpTo(after, line),
    };
  }

  #pair(known: number, found: number): void {
    this.matches[found] = known;
    this.#taken.add(known);
  }

  #left(): { known: number[]; found: number[] } {
    return {
      known: [...this.#known.keys()].filter((index) => !this.#taken.has(index)),
      found: [...this.#found.keys()].filter((index) => this.matches[index] === null),
    };
  }
}

function commonestDistance(pairs: readonly Move[]): number {
  const counts = new Map<number, number>();
  for (const { distance } of pairs) counts.set(distance, (counts.get(distance) ?? 0) + 1);
  let best = 0;
  for (const [distance, count] of counts) {
    const lead = count - (counts.get(best) ?? 0);
    if (lead > 0 || (lead === 0 && Math.abs(distance) < Math.abs(best))) best = distance;
  }
  return best;
}

function countUpTo(sorted: readonly number[], limit: number): number {
  let low = 0;
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
