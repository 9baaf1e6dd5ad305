import { isGeneratedPath, isProse, isTest } from '../../change/file-kinds.ts';
import { findBlocks } from '../../code/blocks.ts';
import { definesName, namesIn } from '../../code/by-name.ts';
import { languages } from '../../code/languages.ts';
import { RepositoryCode } from '../../code/repository-code.ts';
import { distanceOf, pathspecsOf } from './references.ts';
import { changedLines, type ShownHunks } from './shown-change.ts';
import type { CleanTexts, LineRange, Snippet } from './snippet.ts';

/** Of a definition with more lines, only the beginning is shown. */
const maxLines = 40;
const maxNames = 40;
/** A name with more definitions is ambiguous. */
const maxSameName = 4;

/** The definitions that changed lines use, in the order of use. */
export async function usedDefinitions(
  shown: readonly ShownHunks[],
  texts: CleanTexts,
  isLate: () => boolean,
): Promise<Snippet[]> {
  const snippets: Snippet[] = [];
  for (const { file, hunks } of shown) {
    const text = isProse(file.path) ? undefined : await texts.text(file.path);
    if (text === undefined || isLate()) continue;
    const lines = new Set(changedLines(hunks).filter((line) => file.addedLines.has(line)));
    const resolved = await resolvedDefinitions(file.path, lines, texts);
    const known = new Set(resolved.map(({ name }) => name));
    const open = namesOn(text, lines).filter((name) => !known.has(name));
    for (const { path, range, name } of [...resolved, ...(await definitionsByName(open, file.path, texts))]) {
      const cut = {
        startLine: range.startLine,
        endLine: Math.min(range.endLine, range.startLine + maxLines - 1),
      };
      const snippet = await texts.snippet(path, cut, `(defines ${name})`);
      if (snippet !== undefined) snippets.push(snippet);
    }
  }
  return snippets;
}

interface NamedRange {
  readonly path: string;
  readonly name: string;
  readonly range: LineRange;
}

/** Definitions found through imports and scopes; none if the language is not supported. */
async function resolvedDefinitions(
  path: string,
  lines: ReadonlySet<number>,
  { tree }: CleanTexts,
): Promise<NamedRange[]> {
  const language = languages.find((each) => each.covers(path));
  if (language === undefined) return [];
  const code = new RepositoryCode(tree, language);
  const found = new Map<string, NamedRange>();
  for (const use of (await code.facts(path))?.uses ?? []) {
    if (!lines.has(use.line)) continue;
    const { found: target } = await code.used(path, use);
    if (typeof target !== 'object' || target.definition === null) continue;
    const member = await code.called(path, use);
    const { startLine, endLine, name } = member ?? target.definition;
    found.set(`${target.path}\0${startLine}`, { path: target.path, name, range: { startLine, endLine } });
  }
  return [...found.values()];
}

/** The names that lines use: first those that are called, then those that start with a capital letter. */
function namesOn(text: string, lines: ReadonlySet<number>): string[] {
  const all = text.split('\n');
  const [called, types]: [string[], string[]] = [[], []];
  for (const line of lines) {
    const names = namesIn((all[line - 1] ?? '').slice(0, 400));
    called.push(...names.called);
    types.push(...names.others.filter((name) => /^[A-Z]/.test(name)));
  }
  return [...new Set([...called, ...types])].slice(0, maxNames);
}

/** The nearest definition of each name, unless it is ambiguous. */
async function definitionsByName(
  names: readonly string[],
  from: string,
  texts: CleanTexts,
): Promise<NamedRange[]> {
  const language = languages.find((each) => each.covers(from));
  const open = names.filter((name) => language?.isGlobal(name) !== true);
  const { lines } = await texts.tree.findLines(open, { asWords: true, pathspecs: pathspecsOf(from) });
  const found: NamedRange[] = [];
  for (const name of open) {
    const definitions = lines
      .filter(
        ({ path, text }) =>
          !isGeneratedPath(path) && (!isTest(path) || isTest(from)) && definesName(text.slice(0, 400), name),
      )
      .sort((a, b) => distanceOf(a.path, from) - distanceOf(b.path, from));
    const [nearest] = definitions;
    if (nearest === undefined || (definitions.length > maxSameName && nearest.path !== from)) continue;
    found.push({ path: nearest.path, name, range: await blockAt(nearest.path, nearest.line, texts) });
  }
  return found;
}

/** The lines of the definition that starts at a line; only that line if none does. */
export async function blockAt(path: string, line: number, texts: CleanTexts): Promise<LineRange> {
  const text = await texts.text(path);
  const alone = { startLine: line, endLine: line };
  if (text === undefined) return alone;
  const blocks = await findBlocks(path, text);
  const own = blocks.around(line).findLast(({ startLine }) => startLine === line);
  blocks.close();
  return own ?? alone;
}
