import path from 'node:path';
import type { Change, ChangedFile } from '../change/change.ts';
import { filesByPath } from '../change/change-source.ts';
import { isGeneratedPath, isLockFile } from '../change/file-kinds.ts';
import type { CodeFacts } from '../code/code-facts.ts';
import type { Language } from '../code/language.ts';
import { languages } from '../code/languages.ts';
import { readFacts } from '../code/read-facts.ts';
import { RepositoryCode } from '../code/repository-code.ts';
import type { TreeView } from '../repository/tree-view.ts';
import { firstNames, limits, type SymbolNames, type Walkthrough } from '../review-report.ts';
import { areasOf } from './areas.ts';
import { changedSymbols } from './names-of-changes.ts';
import { readingOrder } from './reading-order.ts';

/** As many files as people read; in larger changes, the others are only counted. */
const maxParsed = 300;
const maxParsedLength = 4 * 1024 * 1024;

/** The folders of a change with their altered definitions, and the order in which to read its files. */
export async function walkThrough(change: Change, head: TreeView, end: AbortSignal): Promise<Walkthrough> {
  const parsed = await parse(change, end);
  const symbols = new Map<string, SymbolNames>();
  for (const { file, before, after } of parsed) symbols.set(file.path, changedSymbols(file, before, after));
  const { areas, total } = areasOf(change.files, symbols);
  const isMoved = ({ kind, hunks, missing }: ChangedFile) =>
    (kind === 'renamed' || kind === 'copied') && hunks.length === 0 && missing === null;
  const moved = change.files.filter(isMoved).map((file) => file.path);
  const read = change.files.filter((file) => file.kind !== 'deleted' && !isMoved(file));
  return {
    areas,
    total_areas: total,
    reading_order: readingOrder(read, await findUses(change, parsed, head, end), limits.readingOrder),
    moved_only: firstNames(moved, limits.movedOnly),
  };
}

interface ParsedFile {
  readonly file: ChangedFile;
  readonly language: Language;
  readonly before: CodeFacts | undefined;
  readonly after: CodeFacts | undefined;
}

async function parse({ files }: Change, end: AbortSignal): Promise<ParsedFile[]> {
  const parsed: ParsedFile[] = [];
  let length = 0;
  for (const file of files) {
    if (end.aborted || parsed.length === maxParsed || length > maxParsedLength) break;
    const language = languages.find(({ covers }) => covers(file.path));
    if (language === undefined || isGeneratedPath(file.path) || isLockFile(file.path)) continue;
    const [old, now] = [await file.oldText(), await file.newText()];
    length += (old?.length ?? 0) + (now?.length ?? 0);
    const facts = (name: string, text: string | undefined) =>
      text === undefined ? undefined : readFacts(language, name, text);
    parsed.push({
      file,
      language,
      before: await facts(file.oldPath ?? file.path, old),
      after: file.kind === 'deleted' ? undefined : await facts(file.path, now),
    });
  }
  return parsed;
}

/** Maps changed files to the changed files that they use, also through re-exports. */
async function findUses(
  change: Change,
  parsed: readonly ParsedFile[],
  head: TreeView,
  end: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const byPath = filesByPath(change);
  const codes = new Map<Language, RepositoryCode>();
  const uses = new Map<string, readonly string[]>();
  for (const { file, language, after } of parsed) {
    if (end.aborted) break;
    if (after === undefined) continue;
    const code = codes.get(language) ?? new RepositoryCode(head, language);
    codes.set(language, code);
    const used = new Set(definers(file, after, parsed));
    for (const [from, name] of importsOf(after)) {
      if (end.aborted) break;
      const found = await code.resolve(file.path, from);
      if (found.kind !== 'file') continue;
      used.add(found.path);
      const given =
        byPath.has(found.path) || name === '*' ? 'unknown' : await code.exported(found.path, name);
      if (typeof given === 'object') used.add(given.path);
    }
    used.delete(file.path);
    uses.set(file.path, [...used].filter((each) => byPath.has(each)).sort());
  }
  return uses;
}

/** The modules that a file imports from, and the names there; `*` if it imports all names or none. */
function importsOf({ imports }: CodeFacts): [from: string, name: string][] {
  const all = imports.map(({ from, imported }): [string, string] => [from, imported || '*']);
  return [...new Map(all.map((each) => [each.join('\0'), each])).values()];
}

/** Files of the same folder that define names that this one uses without an import, as in a Go package. */
function definers(file: ChangedFile, { uses, imports }: CodeFacts, parsed: readonly ParsedFile[]): string[] {
  if (!file.path.endsWith('.go')) return [];
  const brought = new Set(imports.map(({ local }) => local));
  const names = new Set(uses.map(({ name }) => name).filter((name) => !brought.has(name)));
  const folder = path.posix.dirname(file.path);
  return parsed
    .filter((other) => other.file !== file && path.posix.dirname(other.file.path) === folder)
    .filter(({ after }) => after?.definitions.some(({ name }) => names.has(name)))
    .map((other) => other.file.path);
}
