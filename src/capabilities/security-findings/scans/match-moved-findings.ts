/** The location and text of a finding, which distinguish alike findings in one file. */
export interface Place {
  readonly startLine: number;
  readonly endLine: number;
  readonly startColumn: number | null;
  readonly endColumn: number | null;
  /** A digest of title and description. */
  readonly text: string;
}

/** Up to this many pairs, old and new places are compared; beyond that, only their order counts. */
const MAX_PAIRS = 400_000;

type Move = { readonly known: number; readonly found: number; readonly distance: number };

/** Compares places by their order in the file. */
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

/** For each place in `found`, the index of the known place that it continues, or null if it is new. */
export type Matches = (number | null)[];

/**
 * Matches found places to known ones; both must be sorted. Equal places are matched first, then equal texts, then by order:
 * the rest between two matches moved together, as lines move in blocks. A place on the other side of a match is never the
 * same one, so that a fixed finding does not pass its id to a new one.
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

/** The same, but matches only findings at the very same place. */
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

  /** Pairs places with the same key, in order. */
  pairEqual(keyOf: (place: Place) => string): void {
    const { known, found } = this.#unmatched();
    if (known.length === 0 || found.length === 0) return;
    const byKey = Map.groupBy(known, (index) => keyOf(this.#known[index]!));
    for (const index of found) {
      const match = byKey.get(keyOf(this.#found[index]!))?.shift();
      if (match !== undefined) this.#pair(match, index);
    }
  }

  /** Pairs places that moved by the same number of lines: the most common distance first, the shortest on a tie. */
  pairMoved(isAlike: (a: Place, b: Place) => boolean): void {
    for (let budget = MAX_PAIRS; ; ) {
      const pairs = this.#pairsInSpans(isAlike, budget);
      budget -= pairs.length;
      if (pairs.length === 0) return;
      const best = budget > 0 ? mostCommonDistance(pairs) : null;
      for (const { known, found, distance } of pairs) {
        const isFree = this.matches[found] === null && !this.#taken.has(known);
        if (isFree && (best === null || distance === best)) this.#pair(known, found);
      }
    }
  }

  /** Possible moves: between the same matches and, in large groups, only to about the same position in the order. */
  #pairsInSpans(isAlike: (a: Place, b: Place) => boolean, budget: number): Move[] {
    const { known, found } = this.#unmatched();
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

  /** Numbers the spans between the matches so far, in the same way on both sides. */
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

  #unmatched(): { known: number[]; found: number[] } {
    return {
      known: [...this.#known.keys()].filter((index) => !this.#taken.has(index)),
      found: [...this.#found.keys()].filter((index) => this.matches[index] === null),
    };
  }
}

function mostCommonDistance(pairs: readonly Move[]): number {
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
