import type { ChangedFile } from '../../change/change.ts';
import type { CodeFacts, Definition } from '../code-facts.ts';
import { nameOfExport, unnamedExports } from '../exported-names.ts';
import type { RepositoryCode } from '../repository-code.ts';

/** A symbol that a change alters in a way that can affect the code that uses it. */
export interface ChangedSymbol {
  /** Its name before the change. */
  readonly symbol: string;
  readonly renamedTo: string | null;
  readonly change: 'removed' | 'renamed' | 'signature' | 'made_async' | 'moved';
  readonly file: ChangedFile;
  /** The path of its file before the change. */
  readonly oldPath: string;
  readonly before: Definition;
  /** Null if it was removed. */
  readonly after: Definition | null;
  /** The file that defines it now, if it moved to another one; otherwise null. */
  readonly movedTo: ChangedFile | null;
  /** It is not a named definition of the file, but only a name that the file exports. */
  readonly isOnlyExported: boolean;
  /** Of a removed symbol: its file still defines it, but no longer exports it under a name that it had. */
  readonly isStillDefined: boolean;
}

/** The definitions and exports of a file that a change removed or altered. */
export async function changedSymbols(
  file: ChangedFile,
  base: RepositoryCode,
  head: RepositoryCode,
): Promise<ChangedSymbol[]> {
  const oldPath = file.oldPath ?? file.path;
  if (
    file.kind === 'added' ||
    file.kind === 'copied' ||
    file.missing !== null ||
    !base.language.covers(oldPath)
  )
    return [];
  const old = await base.facts(oldPath);
  const isGone = file.kind === 'deleted';
  const now = isGone ? undefined : await head.facts(file.path);
  // Nothing is known about a version that does not parse.
  if (old === undefined || (!isGone && now === undefined)) return [];
  const found: ChangedSymbol[] = [];
  const reexports = base.language.reexports(oldPath);
  const given = reexports ? unnamedExports(old) : [];
  const add = (
    altered: Pick<ChangedSymbol, 'change' | 'before' | 'after'> & {
      renamedTo?: string | null;
      isStillDefined?: boolean;
    },
  ) =>
    found.push({
      isStillDefined: false,
      renamedTo: null,
      movedTo: null,
      ...altered,
      symbol: altered.before.name,
      file,
      oldPath,
      isOnlyExported: given.includes(altered.before),
    });
  const formerly = [...old.definitions, ...given];
  const today = now === undefined ? [] : [...now.definitions, ...unnamedExports(now)];
  const known = new Set(formerly.map(({ name }) => name));
  const added = today.filter(({ name }) => !known.has(name));
  const renamed = added.length === 0 ? new Map() : await findRenamed(file, formerly, today, added);
  // Of several definitions with the same name, the first counts.
  const byName = new Map(today.toReversed().map((each) => [each.name, each]));
  const isLost = lossesOf(old, now);
  const hasMoved = base.language.addressOf(oldPath) !== base.language.addressOf(file.path);
  for (const before of formerly) {
    const after = byName.get(before.name) ?? null;
    if (after === null || isLost(before, given.includes(before))) {
      const other = after === null ? renamed.get(before) : undefined;
      add({
        change: other === undefined ? 'removed' : 'renamed',
        before,
        after: other ?? null,
        renamedTo: other?.name ?? null,
        isStillDefined: after !== null,
      });
      continue;
    }
    const altered = howAltered(before, after) ?? (hasMoved ? 'moved' : null);
    if (altered !== null) add({ change: altered, before, after });
  }
  return found;
}

/** The share of common words, at least, for a definition to count as another one under a new name. */
const minAlike = 0.8;

/** Maps removed definitions to the only new definition of the file that has the same content under another name. */
async function findRenamed(
  file: ChangedFile,
  old: readonly Definition[],
  now: readonly Definition[],
  added: readonly Definition[],
): Promise<ReadonlyMap<Definition, Definition>> {
  const [oldText, newText] = await Promise.all([file.oldText(), file.newText()]);
  if (oldText === undefined || newText === undefined) return new Map();
  const [oldLines, newLines] = [oldText.split('\n'), newText.split('\n')];
  const stays = new Set(now.map(({ name }) => name));
  const gone = old.filter(({ name, kind }) => !stays.has(name) && kind !== 'value');
  const addedByShape = Map.groupBy(added, shapeOf);
  const found = new Map<Definition, Definition>();
  for (const [shape, former] of Map.groupBy(gone, shapeOf)) {
    const news = addedByShape.get(shape) ?? [];
    // Many definitions of the same shape cannot be paired reliably.
    if (news.length > maxOfOneShape || former.length > maxOfOneShape) continue;
    const rated = former.map((before) => {
      const alike = news.filter((after) => shareOf(before, oldLines, after, newLines) >= minAlike);
      return { before, after: alike.length === 1 ? alike[0] : undefined };
    });
    for (const { before, after } of rated)
      if (after !== undefined && rated.filter((other) => other.after === after).length === 1)
        found.set(before, after);
  }
  return found;
}

const maxOfOneShape = 20;

/** The share of words, from 0 to 1, that two definitions have in common, not counting their own names. */
export function shareOf(
  before: Definition,
  oldLines: readonly string[],
  after: Definition,
  newLines: readonly string[],
): number {
  const wordsOf = ({ name, startLine, endLine }: Definition, lines: readonly string[]) => {
    const own = name.split('.').at(-1)!;
    const text = lines.slice(startLine - 1, endLine).join('\n');
    return (text.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? []).filter((word) => word !== own);
  };
  const [one, other] = [wordsOf(before, oldLines), wordsOf(after, newLines)];
  const left = new Map<string, number>();
  for (const word of one) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of other) {
    const count = left.get(word) ?? 0;
    if (count > 0) common += 1;
    left.set(word, count - 1);
  }
  return common / Math.max(one.length, other.length, 1);
}

/** The exported names of a file, by the local names behind them. */
function exportsByLocal(facts: CodeFacts | undefined): ReadonlyMap<string | null, ReadonlySet<string>> {
  const found = new Map<string | null, Set<string>>();
  for (const { local, name } of facts?.exports ?? [])
    found.set(local, (found.get(local) ?? new Set()).add(name));
  return found;
}

/** Returns a test whether a definition has lost one of the names under which it was exported. */
function lossesOf(old: CodeFacts, now: CodeFacts | undefined) {
  const [formerly, today] = [exportsByLocal(old), exportsByLocal(now)];
  const names = new Set(now?.exports.map(nameOfExport));
  return ({ name }: Definition, isOnlyExported: boolean): boolean => {
    if (isOnlyExported) return !names.has(name);
    const local = name.split('.')[0]!;
    return [...(formerly.get(local) ?? [])].some((each) => today.get(local)?.has(each) !== true);
  };
}

/** The properties that a definition keeps when it is renamed. */
const shapeOf = (each: Definition) => `${each.kind} ${each.endLine - each.startLine} ${signatureOf(each)}`;

const signatureOf = ({ parameters }: Definition) =>
  JSON.stringify(
    parameters?.map(({ name, isOptional, isRest, kind }) => [name, isOptional, isRest, kind]) ?? null,
  );

/** How a definition has changed for its callers; null if it has not. */
export function howAltered(before: Definition, after: Definition): 'signature' | 'made_async' | null {
  if (isAltered(before, after)) return 'signature';
  return isMadeAsync(before, after) ? 'made_async' : null;
}

/** Whether callers must await it now and did not have to before. */
export function isMadeAsync(before: Definition, after: Definition): boolean {
  return after.isAsync && !before.isAsync && before.mayBeAsync !== true;
}

/** Whether its users need another name or another import. */
export const isGone = ({ change }: ChangedSymbol) =>
  change === 'removed' || change === 'renamed' || change === 'moved';

/** Whether the parameters differ, including their names; false if they are unknown on either side. */
function isAltered(before: Definition, after: Definition): boolean {
  if (before.parameters === null || after.parameters === null) return false;
  return signatureOf(before) !== signatureOf(after);
}
