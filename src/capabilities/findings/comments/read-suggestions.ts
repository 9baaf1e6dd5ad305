/** A change that a comment proposes. */
export interface Suggestion {
  /**
   * How it was written: a suggestion block that the host offers to apply, a diff, two blocks or a search and its
   * replacement, "replace X with Y", or just code.
   */
  readonly form: 'block' | 'diff' | 'pair' | 'words' | 'code';
  /** The lines to remove, or the text for `words`; null for the commented lines. */
  readonly removes: readonly string[] | null;
  /** The lines or text to add; empty if a block only removes lines. */
  readonly brings: readonly string[];
  /** How many lines above and below the last commented one a block replaces; absent if it replaces the commented lines. */
  readonly reach?: { readonly above: number; readonly below: number };
}

const maxSuggestions = 10;
const maxLines = 200;
const maxBodyLength = 60_000;

/** The content of a suggestion block as a suggestion. */
export function blockOf(text: string | null): Suggestion[] {
  return text === null ? [] : [{ form: 'block', removes: null, brings: text.split('\n') }];
}

interface Block {
  readonly info: string;
  readonly lines: readonly string[];
  /** The text between the previous block and this one. */
  readonly lead: string;
}

/** Parses all suggestions in a comment, in every form that reviewers use. */
export function readSuggestions(body: string): Suggestion[] {
  const { blocks, prose } = splitBlocks(body.slice(0, maxBodyLength).replaceAll('\r', ''));
  const found: Suggestion[] = [];
  for (let index = 0; index < blocks.length; index += 1) {
    const [block, next] = [blocks[index]!, blocks[index + 1]];
    if (next !== undefined && isPair(block, next)) {
      found.push({ form: 'pair', removes: unmarked(block.lines), brings: unmarked(next.lines) });
      index += 1;
    } else found.push(...suggestionsIn(block));
  }
  const wanted = [...found, ...wordsIn(prose)].filter(
    ({ form, removes, brings }) =>
      form === 'block' || brings.some((line) => line.trim() !== '') || (removes?.length ?? 0) > 0,
  );
  return wanted.slice(0, maxSuggestions).map(({ removes, brings, ...suggestion }) => ({
    ...suggestion,
    removes: removes?.slice(0, maxLines) ?? null,
    brings: brings.slice(0, maxLines),
  }));
}

/** Splits a comment into its blocks of code and the text without them. */
function splitBlocks(text: string): { blocks: Block[]; prose: string } {
  const blocks: Block[] = [];
  const prose: string[] = [];
  let lead: string[] = [];
  let open: { fence: string; info: string; quotes: number; lines: string[] } | undefined;
  const close = () => {
    if (open !== undefined) blocks.push({ info: open.info, lines: open.lines, lead: lead.join('\n').trim() });
    open = undefined;
    lead = [];
  };
  for (const line of text.split('\n')) {
    const fence = /^([ \t>]*)(`{3,}|~{3,})[ \t]*([^`]*)$/.exec(line);
    if (open === undefined && fence !== null) {
      const quotes = fence[1]!.split('>').length - 1;
      open = { fence: fence[2]!, info: fence[3]!.trim().toLowerCase(), quotes, lines: [] };
    } else if (open === undefined) {
      lead.push(line);
      prose.push(line);
    } else if (fence !== null && fence[2]!.startsWith(open.fence) && fence[3] === '') close();
    else open.lines.push(unquoted(line, open.quotes));
  }
  // Like hosts do, an unclosed block ends with the comment.
  close();
  return { blocks, prose: prose.join('\n') };
}

/** A line of a quotation without its markers. */
function unquoted(line: string, depth: number): string {
  let text = line;
  for (let level = 0; level < depth; level += 1) text = text.replace(/^[ \t]{0,3}> ?/, '');
  return text;
}

const isCode = ({ info }: Block) => !/^(?:suggestion|diff|patch)\b/.test(info);

/** "Change … to …" around two blocks. */
function isPair(block: Block, next: Block): boolean {
  return (
    isCode(block) &&
    isCode(next) &&
    next.lead.length <= 40 &&
    /^\W*(?:to|with|into|by|for|->|=>|→|becomes|should be|instead(?: use)?|use)\W*$/i.test(next.lead) &&
    /\b(?:chang|replac|rewrit|convert|turn|simplif|instead of|switch|updat)/i.test(block.lead.slice(-200))
  );
}

function suggestionsIn(block: Block): Suggestion[] {
  const { info, lines } = block;
  const suggested = /^suggestion\b(?::-(\d{1,3})\+(\d{1,3}))?/.exec(info);
  if (suggested !== null) {
    const [, above, below] = suggested;
    const reach = above !== undefined && { reach: { above: Number(above), below: Number(below) } };
    return [{ form: 'block', removes: null, brings: lines, ...reach }];
  }
  const replaced = searchAndReplace(lines);
  if (replaced.length > 0) return replaced;
  if (/^(?:diff|patch)\b/.test(info)) return diffIn(lines);
  // The output of a program is not code.
  if (/^(?:text|txt|log|logs|console|output|plaintext|mermaid)\b/.test(info)) return [];
  return [{ form: 'code', removes: null, brings: unmarked(lines) }];
}

/** Lines that were copied from a diff, without their `+` and `-` markers. */
function unmarked(lines: readonly string[]): readonly string[] {
  const filled = lines.filter((line) => line.trim() !== '');
  return filled.length > 0 && filled.every((line) => line.startsWith('+'))
    ? lines.map((line) => line.slice(1))
    : lines;
}

function diffIn(lines: readonly string[]): Suggestion[] {
  const isHead = (line: string) => /^(?:@@|---\s|\+\+\+\s|diff |index )/.test(line);
  const body = lines.filter((line) => !isHead(line));
  const marked = (mark: string) => body.filter((line) => line.startsWith(mark)).map((line) => line.slice(1));
  const [removes, brings] = [marked('-'), marked('+')];
  if (removes.length + brings.length === 0) return [{ form: 'code', removes: null, brings: body }];
  return [{ form: 'diff', removes, brings }];
}

/** Blocks in which some reviewers write a search text and its replacement. */
function searchAndReplace(lines: readonly string[]): Suggestion[] {
  const text = `${lines.join('\n')}\n`;
  const pattern = /^<{5,} ?SEARCH.*\n([\s\S]*?)^={5,}\n([\s\S]*?)^>{5,} ?REPLACE.*$/gm;
  const linesOf = (part: string) => part.split('\n').slice(0, -1);
  return [...text.matchAll(pattern)].map(([, search, replace]) => {
    return { form: 'pair', removes: linesOf(search!), brings: linesOf(replace!) };
  });
}

const mark = '(?:`([^`\\n]{1,120})`|"([^"\\n]{2,120})"|“([^”\\n]{2,120})”|\'([^\'\\n]{2,120})\')';
const some =
  '(?:(?:the|this|these|all|any|from|name|word|words|call|type|variable|function|it|be|just|a|an) ){0,3}';

/** Patterns for replacements in prose, and whether the first of the two texts is the one to remove. */
const wordings: readonly (readonly [RegExp, 'goes first' | 'comes first'])[] = [
  [
    new RegExp(
      `\\b(?:chang\\w*|replac\\w*|renam\\w*|swap\\w*|switch\\w*|convert\\w*|correct\\w*|updat\\w*) ${some}${mark} ${some}(?:to|with|by|into|for|->|=>|→) ${some}${mark}`,
      'gi',
    ),
    'goes first',
  ],
  [new RegExp(`${mark} ?(?:->|=>|→|should (?:be|read)|must be) ?${some}${mark}`, 'gi'), 'goes first'],
  [new RegExp(`${mark} (?:instead of|rather than|in place of) ${some}${mark}`, 'gi'), 'comes first'],
];
const substitution =
  /(?:^|[\s`(])s\/((?:[^/\\\n]|\\.){2,80})\/((?:[^/\\\n]|\\.){1,80})(?:\/[gi]*)?(?=[\s`).,]|$)/gm;

/** "Replace X with Y", where both are marked as code or quoted, and `s/X/Y/`. */
function wordsIn(prose: string): Suggestion[] {
  const words = (from: string, to: string): Suggestion[] =>
    from === to ? [] : [{ form: 'words', removes: [from], brings: [to] }];
  const text = prose.replaceAll(/<!--[\s\S]*?-->/g, ' ').replaceAll(/[ \t]+/g, ' ');
  const substituted = [...text.matchAll(substitution)].flatMap(([, from, to]) => words(from!, to!));
  const worded = wordings.flatMap(([pattern, order]) =>
    [...text.matchAll(pattern)].flatMap(([, ...groups]) => {
      const [one, other] = groups.filter((group) => group !== undefined);
      return order === 'goes first' ? words(one!, other!) : words(other!, one!);
    }),
  );
  return [...substituted, ...worded];
}
