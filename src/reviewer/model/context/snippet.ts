import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import type { TreeView } from '../../repository/tree-view.ts';
import { estimateTokens } from '../estimate-tokens.ts';
import { redactLines } from '../showing/redact-lines.ts';

/** Lines from 1, both ends included. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

/** Lines of the repository that are shown as context of a change. */
export interface Snippet extends LineRange {
  readonly path: string;
  /** The text for the model: the place, why it is shown, and the lines, without credentials. */
  readonly text: string;
  readonly tokens: number;
}

/** In characters; larger files are data or generated. */
const maxLength = 256 * 1024;
const maxFiles = 120;
const maxLineLength = 300;

/** The texts of a tree, each read once. Credentials are searched for in the whole file, and redacted in all shown lines. */
export class CleanTexts {
  readonly tree: TreeView;
  readonly #texts = new Map<string, Promise<string | undefined>>();
  readonly #clean = new Map<string, readonly string[]>();

  constructor(tree: TreeView) {
    this.tree = tree;
  }

  /** The raw text; undefined if it cannot be read, is too large, or `maxFiles` were read. */
  async text(path: string): Promise<string | undefined> {
    if (!this.#texts.has(path) && this.#texts.size >= maxFiles) return undefined;
    const known = this.#texts.get(path) ?? this.tree.read(path);
    this.#texts.set(path, known);
    const text = await known;
    return text === undefined || text.length > maxLength ? undefined : text;
  }

  /** The lines, without credentials. */
  async lines(path: string): Promise<readonly string[] | undefined> {
    const text = await this.text(path);
    if (text === undefined) return undefined;
    const clean = this.#clean.get(path) ?? redactLines(text);
    this.#clean.set(path, clean);
    return clean;
  }

  /** A snippet with these lines; undefined if they cannot be read or are blank. */
  async snippet(path: string, { startLine, endLine }: LineRange, why: string): Promise<Snippet | undefined> {
    const lines = await this.lines(path);
    if (lines === undefined) return undefined;
    const range = { startLine: Math.max(1, startLine), endLine: Math.min(endLine, lines.length) };
    const isBlank = (line: number) => lines[line - 1]!.trim() === '';
    while (range.startLine <= range.endLine && isBlank(range.startLine)) range.startLine += 1;
    while (range.startLine <= range.endLine && isBlank(range.endLine)) range.endLine -= 1;
    if (range.startLine > range.endLine) return undefined;
    const shown = lines
      .slice(range.startLine - 1, range.endLine)
      .map((line) => line.slice(0, maxLineLength).replace(/\r$/, ''));
    const place = `${redactCredentials(path)}:${range.startLine}-${range.endLine}`.replaceAll(
      /[\r\n]+/g,
      ' ',
    );
    const text = redactCredentials(`${place} ${why}\n${shown.join('\n')}`);
    return { path, ...range, text, tokens: estimateTokens(text) + 1 };
  }
}

/** Joins ranges that overlap or touch, in the order of their lines. */
export function joinRanges(ranges: readonly LineRange[]): LineRange[] {
  const joined: LineRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.startLine - b.startLine)) {
    const last = joined.at(-1);
    if (last === undefined || range.startLine > last.endLine + 1) joined.push(range);
    else joined[joined.length - 1] = { ...last, endLine: Math.max(last.endLine, range.endLine) };
  }
  return joined;
}

export function contains(ranges: readonly LineRange[], { startLine, endLine }: LineRange): boolean {
  return ranges.some((range) => range.startLine <= startLine && endLine <= range.endLine);
}

/** Snippets of one kind, the most useful first, and their share of the tokens, from 0 to 1. */
export interface SnippetGroup {
  readonly share: number;
  readonly snippets: readonly Snippet[];
}

/** Chooses as many snippets as fit. Tokens that a group does not need go to the others, in their order. */
export function chooseSnippets(groups: readonly SnippetGroup[], maxTokens: number): Snippet[] {
  const chosen = groups.map(() => [] as Snippet[]);
  let left = maxTokens;
  const take = (index: number, room: number) => {
    let used = 0;
    for (const snippet of groups[index]!.snippets) {
      const isKnown = chosen.some((own) =>
        own.some((other) => other.path === snippet.path && contains([other], snippet)),
      );
      if (isKnown || used + snippet.tokens > room) continue;
      chosen[index]!.push(snippet);
      used += snippet.tokens;
    }
    left -= used;
  };
  for (const [index, { share }] of groups.entries())
    take(index, Math.min(left, Math.floor(maxTokens * share)));
  for (const index of groups.keys()) take(index, left);
  return chosen.flat();
}
