import { REDACTION_MARKER } from '../../redaction/redact-credentials.ts';
import type { ChangedFile } from '../change/change.ts';

/** The lines that a quote refers to. */
export interface Placement {
  readonly side: 'new' | 'old';
  readonly startLine: number;
  readonly endLine: number;
}

interface Line {
  readonly number: number;
  /** Without white space. */
  readonly text: string;
  readonly raw: string;
  readonly isAdded: boolean;
}

/** How many lines a quote may skip at an ellipsis, and how many it may lack elsewhere in total. */
const maxSkippedAtEllipsis = 60;
const maxForgotten = 2;

const bare = (text: string) => text.replaceAll(/\s+/g, '');
const isEllipsis = (text: string) => /^(?:\/\/|#|\/\*)?(?:\.{3}|…)(?:\*\/)?$/.test(text);

/**
 * Finds the lines of a quote, which may be inexact: other white space, a cut first or last line, a forgotten line, an
 * ellipsis, markers of a diff. Of several places, the one with the most added lines is used. Null if it is not found: the
 * finding is then about the file as a whole, and never at a guessed place.
 */
export function placeQuote(
  quote: string,
  file: Pick<ChangedFile, 'hunks' | 'addedLines'>,
  newText?: string,
): Placement | null {
  const wanted = cleanQuote(quote);
  if (!wanted.some((line) => /\w/.test(bare(line)) && !isEllipsis(bare(line)))) return null;
  const current = newText === undefined ? linesOfHunks(file, 'new') : [linesOfText(newText, file.addedLines)];
  const former = linesOfHunks(file, 'old');
  const steps: [Line[][], Placement['side'], Matcher][] = [
    [current, 'new', matchExactly],
    [current, 'new', matchWithoutSpace],
    [former, 'old', matchWithoutSpace],
    [current, 'new', matchCutEnds],
    [current, 'new', matchWithGaps],
    [former, 'old', matchWithGaps],
  ];
  for (const [segments, side, matcher] of steps) {
    const found = segments.flatMap((lines) => matcher(wanted, lines));
    const best = found.sort((a, b) => b.added - a.added || a.last - a.first - (b.last - b.first))[0];
    if (best !== undefined) return { side, startLine: best.first, endLine: best.last };
  }
  return null;
}

/** The lines of the quote, without code fences, line numbers and markers of a diff. */
function cleanQuote(quote: string): string[] {
  let lines = quote.replaceAll('\r', '').split('\n');
  if (/^\s*```/.test(lines[0] ?? '')) lines = lines.slice(1);
  if (/^\s*```\s*$/.test(lines.at(-1) ?? '')) lines.pop();
  const filled = lines.filter((line) => line.trim() !== '');
  if (filled.length > 0 && filled.every((line) => /^\s*\d+\s*[|:│]/.test(line)))
    lines = lines.map((line) => line.replace(/^\s*\d+\s*[|:│] ?/, ''));
  else if (filled.some((line) => line.startsWith('+')) && filled.every((line) => /^[+ ]/.test(line)))
    lines = lines.map((line) => line.slice(1));
  return lines.filter((line) => line.trim() !== '');
}

function linesOfText(text: string, added: ReadonlySet<number>): Line[] {
  return text
    .split('\n')
    .map((raw, index) => ({ number: index + 1, raw, text: bare(raw), isAdded: added.has(index + 1) }))
    .filter((line) => line.text !== '');
}

function linesOfHunks({ hunks }: Pick<ChangedFile, 'hunks'>, side: Placement['side']): Line[][] {
  return hunks.map(({ lines }) =>
    lines.flatMap(({ kind, text: raw, newLine, oldLine }) => {
      const number = side === 'new' ? newLine : oldLine;
      const isAdded = kind === (side === 'new' ? 'added' : 'removed');
      return number === null || raw.trim() === '' ? [] : [{ number, raw, text: bare(raw), isAdded }];
    }),
  );
}

interface Match {
  readonly first: number;
  readonly last: number;
  readonly added: number;
}
type Matcher = (wanted: readonly string[], lines: readonly Line[]) => Match[];

function matchOf(lines: readonly Line[], from: number, to: number): Match {
  let added = 0;
  for (let index = from; index <= to; index += 1) if (lines[index]!.isAdded) added += 1;
  return { first: lines[from]!.number, last: lines[to]!.number, added };
}

/** Matches consecutive lines, with a test for the line at each place of the quote. */
function consecutive(
  isAt: (line: Line, place: number, wanted: readonly string[]) => boolean,
  wanted: readonly string[],
  lines: readonly Line[],
): Match[] {
  const found: Match[] = [];
  for (let start = 0; start + wanted.length <= lines.length; start += 1) {
    let place = 0;
    while (place < wanted.length && isAt(lines[start + place]!, place, wanted)) place += 1;
    if (place === wanted.length) found.push(matchOf(lines, start, start + place - 1));
  }
  return found;
}

const matchExactly: Matcher = (wanted, lines) =>
  consecutive((line, place) => line.raw.trimEnd() === wanted[place]!.trimEnd(), wanted, lines);

const matchWithoutSpace: Matcher = (wanted, lines) => {
  const tests = wanted.map((text) => lineTest(bare(text)));
  return consecutive((line, place) => tests[place]!(line.text), wanted, lines);
};

/** Returns a test for a line of the quote, in which a redaction marker matches any text. */
function lineTest(wanted: string): (text: string) => boolean {
  if (!wanted.includes(REDACTION_MARKER)) return (text) => text === wanted;
  const [head = '', ...rest] = wanted.split(REDACTION_MARKER);
  const tail = rest.at(-1) ?? '';
  return (text) => text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail);
}

/** The first line may lack its beginning and the last one its end; a single line may lack both. */
const matchCutEnds: Matcher = (wanted, lines) => {
  const texts = wanted.map(bare);
  const last = texts.length - 1;
  if (texts.length === 1)
    return texts[0]!.length < 6 ? [] : consecutive((line) => line.text.includes(texts[0]!), wanted, lines);
  if (texts[0]!.length < 3 && texts[last]!.length < 3) return [];
  return consecutive(
    (line, place) => {
      if (place === 0) return line.text.endsWith(texts[0]!);
      return place === last ? line.text.startsWith(texts[last]!) : line.text === texts[place];
    },
    wanted,
    lines,
  );
};

/** Lines may be missing: many at an ellipsis, few elsewhere. The quote must have at least two lines with words. */
const matchWithGaps: Matcher = (wanted, lines) => {
  const texts = wanted.map(bare);
  while (texts.length > 0 && isEllipsis(texts[0]!)) texts.shift();
  while (texts.length > 0 && isEllipsis(texts.at(-1)!)) texts.pop();
  if (texts.filter((text) => /\w/.test(text) && !isEllipsis(text)).length < 2) return [];
  const found: Match[] = [];
  for (let start = 0; start < lines.length; start += 1) {
    const end = walkWithGaps(texts, lines, start);
    if (end !== undefined) found.push(matchOf(lines, start, end));
  }
  return found;
};

function walkWithGaps(texts: readonly string[], lines: readonly Line[], start: number): number | undefined {
  if (lines[start]!.text !== texts[0]) return undefined;
  let forgotten = maxForgotten;
  let at = start;
  for (let place = 1; place < texts.length; place += 1) {
    const isOpen = isEllipsis(texts[place]!);
    if (isOpen) place += 1;
    const limit = isOpen ? maxSkippedAtEllipsis : forgotten;
    let next = at + 1;
    while (next < lines.length && next - at - 1 <= limit && lines[next]!.text !== texts[place]) next += 1;
    if (next >= lines.length || next - at - 1 > limit) return undefined;
    if (!isOpen) forgotten -= next - at - 1;
    at = next;
  }
  return at;
}
