import type { Change, ChangedFile } from '../../change/change.ts';
import { isFixture, isGeneratedPath } from '../../change/file-kinds.ts';
import type { TreeView } from '../../repository/tree-view.ts';

/** Lines of a change that are a copy of existing lines. */
export interface Copy {
  readonly file: ChangedFile;
  readonly startLine: number;
  readonly endLine: number;
  readonly existing: { readonly path: string; readonly startLine: number; readonly endLine: number };
}

interface Line {
  readonly number: number;
  readonly text: string;
  /** Without names and formatting. */
  readonly shape: string;
}

/** Fewer equal lines are a pattern of the language, not a copy. */
const minLines = 12;
/** Lines that are all alike, such as the entries of a table, do not show that they are copied. */
const minShapes = 8;
const maxBlocks = 20;
const minWords = 3;
const maxWords = 12;
const maxCandidates = 10;
/** The minimum share of common names. Code of the same shape with fewer only has a similar structure. */
const minShare = 0.4;
/** The minimum share of removed lines in a block that counts as moved; the others may have been changed on the way. */
const minMoved = 0.7;

const codePaths = /\.(?:[cm]?[jt]sx?|py|go|java|kt|cs|rs|rb|php|c|cc|cpp|h|hpp|swift|scala)$/;
const comment = /^\s*(?:\/\/|\/?\*|#(?!\s*(?:include|define|if|endif))|--|<!--)/;
const imported =
  /^\s*(?:import\b|from\s+\S+\s+import\b|export\s+.*\bfrom\b|(?:const|let|var)\s+.*\brequire\(|using\b|use\b|#include\b|package\b|require\b)/;
const literal = /"[^"]*"|'[^']*'|`[^`]*`/g;
const name = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Names with a meaning in the language. Other names can be chosen freely, so shapes leave them out. */
const keywords = new Set(
  `as async await break case catch class const continue def default defer delete do elif else enum except export extends false finally
fn for func function go if implements import in instanceof interface is lambda let match new nil not null None or and pass private protected
public raise range return select self static struct super switch this throw throws true True False try type typeof var void while with
yield`.split(/\s+/),
);

/**
 * Finds code of the change that is a copy of code elsewhere. Moved code is no copy, because it was removed from its old place.
 */
export async function findCopies(
  { files }: Pick<Change, 'files'>,
  head: TreeView,
  ended?: AbortSignal,
): Promise<Copy[]> {
  const added = new Map(files.map((file) => [file.path, file.addedLines]));
  const blocks: Block[] = [];
  const gone = removedLines(files);
  for (const file of files) {
    if (!codePaths.test(file.path) || isFixture(file.path) || isGeneratedPath(file.path)) continue;
    if (file.addedLines.size < minLines || ended?.aborted) continue;
    // Moved code that resembles code in a third place already did so before the change.
    const isNew = ({ lines }: Block) => shareOf(lines, ({ text }) => gone.has(text.trim())) < minMoved;
    blocks.push(...blocksOf(file, (await head.read(file.path)) ?? '').filter(isNew));
  }
  const searched = blocks.filter(({ words }) => words.length >= minWords).slice(0, maxBlocks);
  if (searched.length === 0) return [];
  // One search for all blocks, because a search for one takes as long.
  const words = new Set(searched.flatMap((block) => block.words));
  const { places } = await head.findWords(
    [...words],
    [...new Set(searched.map(({ ending }) => `*${ending}`))],
  );
  const wordsOf = new Map(
    [...Map.groupBy(places, ({ path }) => path)].map(([path, own]) => [
      path,
      new Set(own.map(({ word }) => word)),
    ]),
  );
  const found: Copy[] = [];
  for (const block of searched) {
    if (ended?.aborted) break;
    const original = await findOriginal(block, wordsOf, head, added);
    if (original !== undefined) found.push({ file: block.file, ...original });
  }
  return found;
}

function removedLines(files: readonly ChangedFile[]): ReadonlySet<string> {
  const lines = files.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  return new Set(lines.filter(({ kind }) => kind === 'removed').map(({ text }) => text.trim()));
}

const shareOf = <T>(all: readonly T[], is: (each: T, index: number) => boolean) =>
  all.filter(is).length / Math.max(all.length, 1);

interface Block {
  readonly file: ChangedFile;
  /** The extension: a copy is in the same language. */
  readonly ending: string;
  readonly lines: readonly Line[];
  readonly words: readonly string[];
}

/** Runs of added lines that are long enough, and the names in them. */
function blocksOf(file: ChangedFile, text: string): Block[] {
  const all = text.split('\n');
  const ending = /\.[^.]+$/.exec(file.path)![0];
  const blocks: Block[] = [];
  let run: number[] = [];
  const close = () => {
    const lines = linesOf(all, () => true, run[0] ?? 1, run.at(-1) ?? 0);
    if (isTelling(lines))
      blocks.push({ file, ending, lines, words: tellingWords(run.map((number) => all[number - 1]!)) });
    run = [];
  };
  for (const number of [...file.addedLines].sort((a, b) => a - b)) {
    if (run.length > 0 && number !== run.at(-1)! + 1) close();
    run.push(number);
  }
  close();
  return blocks;
}

function linesOf(
  all: readonly string[],
  isWanted: (line: number) => boolean,
  from = 1,
  to = all.length,
): Line[] {
  const lines: Line[] = [];
  for (let number = from; number <= to; number += 1) {
    const text = all[number - 1]!;
    if (!isWanted(number) || text.length > 500 || comment.test(text) || imported.test(text)) continue;
    const shape = shapeOf(text);
    // Lines with brackets alone do not count.
    if (/[\p{L}\p{N}]/u.test(shape)) lines.push({ number, text, shape });
  }
  return lines;
}

function shapeOf(text: string): string {
  return text
    .replace(/\s(?:\/\/|#).*$/, '')
    .replaceAll(literal, '""')
    .replaceAll(name, (word) => (keywords.has(word) ? ` ${word} ` : 'x'))
    .replaceAll(/\d[\d_.]*/g, '0')
    .replaceAll(/\s+/g, '')
    .replace(/[;,]$/, '');
}

function isTelling(lines: readonly Line[]): boolean {
  return lines.length >= minLines && new Set(lines.map(({ shape }) => shape)).size >= minShapes;
}

const namesIn = (text: string) => (text.match(name) ?? []).filter((word) => !keywords.has(word));

/** The longest names come first: they are rare, and a copy still calls what the original calls. */
function tellingWords(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap(namesIn))]
    .filter((word) => word.length >= 5)
    .sort((a, b) => b.length - a.length)
    .slice(0, maxWords);
}

async function findOriginal(
  { lines: block, words, ending }: Block,
  wordsOf: ReadonlyMap<string, ReadonlySet<string>>,
  head: TreeView,
  added: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<Omit<Copy, 'file'> | undefined> {
  const candidates = [...wordsOf]
    .map(([path, there]) => ({ path, count: words.filter((word) => there.has(word)).length }))
    .filter(({ path, count }) => count >= words.length / 3 && path.endsWith(ending) && !isGeneratedPath(path))
    .sort((a, b) => b.count - a.count)
    .slice(0, maxCandidates);
  for (const { path } of candidates) {
    const text = await head.read(path);
    if (text === undefined) continue;
    const all = text.split('\n');
    const existing = linesOf(all, (number) => added.get(path)?.has(number) !== true);
    const copy = longestCommon(block, existing);
    if (copy === undefined) continue;
    const [own, other] = copy;
    const there = new Set(all.slice(other[0]!.number - 1, other.at(-1)!.number).flatMap(namesIn));
    const names = new Set(own.flatMap(({ text: line }) => namesIn(line)));
    if (shareOf([...names], (word) => there.has(word)) < minShare || isOtherData(own, other)) continue;
    return {
      startLine: own[0]!.number,
      endLine: own.at(-1)!.number,
      existing: { path, startLine: other[0]!.number, endLine: other.at(-1)!.number },
    };
  }
  return undefined;
}

/** The longest run of consecutive lines with the same shapes; undefined if none is long enough. */
function longestCommon(one: readonly Line[], other: readonly Line[]): [Line[], Line[]] | undefined {
  const starts = Map.groupBy(other.keys(), (index) => other[index]!.shape);
  let best: [Line[], Line[]] | undefined;
  for (let from = 0; from + minLines <= one.length; from += 1)
    for (const start of starts.get(one[from]!.shape) ?? []) {
      let length = 1;
      while (from + length < one.length && one[from + length]!.shape === other[start + length]?.shape)
        length += 1;
      const own = one.slice(from, from + length);
      if (length > (best?.[0].length ?? 0) && isTelling(own))
        best = [own, other.slice(start, start + length)];
    }
  return best;
}

/** Whether most string literals differ: then the lines are entries of tables, not a copy. */
function isOtherData(own: readonly Line[], other: readonly Line[]): boolean {
  const texts = own.map(
    ({ text }, index) => [text.match(literal), other[index]!.text.match(literal)] as const,
  );
  const withTexts = texts.filter(([one, two]) => one !== null && two !== null);
  const isOther = ([one, two]: (typeof texts)[number]) => one!.join() !== two!.join();
  return withTexts.length >= own.length / 2 && shareOf(withTexts, isOther) > 0.5;
}
