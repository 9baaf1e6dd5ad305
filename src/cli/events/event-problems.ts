/** What the server says about one event of a file. */
export interface EventProblem {
  /** Its position, from 0. */
  readonly index: number;
  readonly id: string | null;
  readonly code: string;
  readonly message: string;
}

const maxShownProblems = 20;
const maxShownRanges = 10;

/** Lines that describe problems with events; the same problem with several events is described once. */
export function describeProblems(problems: readonly EventProblem[]): string[] {
  const same = Map.groupBy(problems, ({ code, message }) => `${code}: ${message}`);
  const lines = [...same].map(([text, [first, ...others]]) => {
    if (others.length > 0)
      return `${others.length + 1} events (${namePositions([first!, ...others])}): ${text}`;
    const { index, id } = first!;
    return `event ${index + 1}${id === null ? '' : ` (${id})`}: ${text}`;
  });
  const more = lines.length - maxShownProblems;
  return more > 0 ? [...lines.slice(0, maxShownProblems), `and ${more} other problems`] : lines;
}

/** The positions of events as ranges, such as `1-20, 25`. */
function namePositions(problems: readonly EventProblem[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const position of problems.map(({ index }) => index + 1).toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range !== undefined && position <= range.last + 1) range.last = position;
    else ranges.push({ first: position, last: position });
  }
  const named = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
  return named.length > maxShownRanges ? `${named.slice(0, maxShownRanges).join(', ')}, …` : named.join(', ');
}
