import type { Change, ChangedFile } from '../../change/change.ts';
import { type LineMap, mapLines } from '../../change/hunks.ts';
import type { CodeFacts, Definition, Use } from '../code-facts.ts';
import { isGuardedUse } from '../guarded-uses.ts';
import { readFacts } from '../read-facts.ts';
import type { RepositoryCode } from '../repository-code.ts';
import { type ChangedSymbol, changedSymbols } from './changed-symbols.ts';
import { fit } from './fit.ts';
import { withMoves } from './moved-symbols.ts';

/** A place that uses an altered symbol. `line` is its line in the head, or in the base if the change removed or edited it. */
export interface Reference {
  readonly path: string;
  readonly line: number;
  /** `updated`: the change touches it; `fits`: untouched and still right. */
  readonly state: 'updated' | 'fits' | 'broken' | 'unknown';
  /** What is wrong with it, as text; null if nothing is, or only its import is broken, which is a finding of its own. */
  readonly fault: string | null;
}

export interface Impact extends Omit<ChangedSymbol, 'oldPath'> {
  readonly references: readonly Reference[];
}

export interface ImpactSearch {
  readonly impacts: readonly Impact[];
  /** Notes for the reader about what was not searched. */
  readonly notes: readonly string[];
}

const maxCandidates = 1_500;
const unknown = { state: 'unknown', fault: null } as const;

/** Finds the effects of a change on the code that uses what it alters, for one language. */
export async function findImpact(
  change: Change,
  base: RepositoryCode,
  head: RepositoryCode,
  /** Stops the search; the results so far are kept. */
  ended?: AbortSignal,
): Promise<ImpactSearch> {
  const altered: ChangedSymbol[] = [];
  for (const file of change.files)
    if (!ended?.aborted) altered.push(...(await changedSymbols(file, base, head)));
  const symbols = await withMoves(altered, change, base, head);
  if (symbols.length === 0) return { impacts: [], notes: [] };
  const changed = new Map(
    change.files.map((file) => [file.oldPath ?? file.path, { file, lines: mapLines(file.hunks) }]),
  );
  const removed = Map.groupBy(
    symbols.filter(({ after }) => after === null),
    ({ oldPath }) => oldPath,
  );
  const wentAway = ({ path, use }: PlacedUse) =>
    isDeleted(
      use,
      changed.get(path),
      (removed.get(path) ?? []).map(({ before }) => before),
    );
  const { uses, notes } = await findUses(symbols, base, ended);
  const impacts: Impact[] = [];
  for (const symbol of symbols) {
    const references: Reference[] = [];
    for (const placed of uses.get(symbol) ?? []) {
      // A move does not affect uses in the file that it came from.
      const isOwn = symbol.change === 'moved' && placed.path === symbol.oldPath;
      if (ended?.aborted || isOwn || wentAway(placed)) continue;
      const reference = await judge(placed, symbol, changed.get(placed.path), head);
      const name = placed.use.members.at(-1) ?? placed.use.name;
      const isGone = reference.fault === null || reference.fault === 'uses it';
      const isExcused = reference.state === 'broken' && (await isGuardedUse(head, reference, name, isGone));
      references.push(isExcused ? { ...reference, ...unknown } : reference);
    }
    // An exported name that nothing imports has no impact.
    if (references.length > 0 || !symbol.isOnlyExported)
      impacts.push({ ...symbol, references: onePerLine(references) });
  }
  return { impacts, notes };
}

interface ChangedLines {
  readonly file: ChangedFile;
  readonly lines: LineMap;
}

/** Whether a use was deleted with the code around it: with a removed definition, or with lines that were not replaced. */
function isDeleted(
  { line }: Use,
  changed: ChangedLines | undefined,
  removed: readonly Definition[],
): boolean {
  if (changed === undefined || changed.lines.newLineOf(line) !== null) return false;
  const isInside = removed.some(({ startLine, endLine }) => startLine <= line && line <= endLine);
  return isInside || changed.file.kind === 'deleted' || !isReplaced(changed.file, line);
}

/** Whether the removed lines around a line were replaced by added ones. */
function isReplaced({ hunks }: ChangedFile, oldLine: number): boolean {
  let [isAround, isReplaced] = [false, false];
  for (const { lines } of hunks)
    for (const line of [...lines, { kind: 'context', oldLine: null }]) {
      if (line.kind === 'context') {
        if (isAround) return isReplaced;
        isReplaced = false;
      } else if (line.kind === 'added') isReplaced = true;
      else isAround ||= line.oldLine === oldLine;
    }
  return true;
}

const worstFirst = ['broken', 'unknown', 'fits', 'updated'];

/** Sorts references by place, and keeps the worst of several on one line. */
function onePerLine(references: readonly Reference[]): Reference[] {
  const rank = ({ state }: Reference) => worstFirst.indexOf(state);
  const kept = new Map<string, Reference>();
  for (const each of references) {
    const key = `${each.path}\0${each.line}`;
    const known = kept.get(key);
    if (known === undefined || rank(each) < rank(known)) kept.set(key, each);
  }
  return [...kept.values()].sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

interface PlacedUse {
  readonly path: string;
  readonly use: Use;
  /** Its index among the uses on its line that have the same key. */
  readonly occurrence: number;
}

/** A key that is equal for uses on one line that cannot be distinguished. */
const keyOf = ({ name, from, members, of }: Use, line: number) => [line, name, from, members, of].join('\0');

interface UseIndex {
  readonly byKey: ReadonlyMap<string, readonly Use[]>;
  readonly names: ReadonlySet<string>;
}

const indexes = new WeakMap<CodeFacts, UseIndex>();

/** An index of a file's uses, because searching all of them for each lookup takes too long. */
function indexOf(facts: CodeFacts): UseIndex {
  const known = indexes.get(facts) ?? {
    byKey: Map.groupBy(facts.uses, (use) => keyOf(use, use.line)),
    names: new Set(facts.uses.map(({ name }) => name)),
  };
  indexes.set(facts, known);
  return known;
}

/** Finds all uses of the symbols in the base. */
async function findUses(symbols: readonly ChangedSymbol[], base: RepositoryCode, ended?: AbortSignal) {
  const combinations = (await Promise.all(symbols.map((symbol) => wordsOf(symbol, base)))).flat();
  const { places, isWhole } = await base.tree.findWords(
    [...new Set(combinations.flat())],
    base.language.pathspecs,
  );
  const byLastWord = Map.groupBy(combinations, (words) => words.at(-1)!);
  const own = new Set(symbols.map(({ oldPath }) => oldPath));
  const candidates = [...Map.groupBy(places, ({ path }) => path)]
    .filter(([, found]) => {
      const there = new Set(found.map(({ word }) => word));
      const isThere = (words: readonly string[]) => words.every((word) => there.has(word));
      return [...there].some((word) => byLastWord.get(word)?.some(isThere));
    })
    .map(([path]) => path)
    .sort((a, b) => Number(own.has(b)) - Number(own.has(a)));
  const uses = new Map<ChangedSymbol, PlacedUse[]>();
  const wanted = new Map(symbols.map((symbol) => [`${symbol.oldPath}\0${symbol.symbol}`, symbol]));
  for (const path of candidates.slice(0, maxCandidates)) {
    if (ended?.aborted) break;
    const facts = await base.facts(path);
    for (const same of facts === undefined ? [] : indexOf(facts).byKey.values())
      for (const [occurrence, use] of same.entries()) {
        const symbol = await symbolOf(path, use, base, wanted);
        if (symbol === undefined) continue;
        const known = uses.get(symbol) ?? [];
        known.push({ path, use, occurrence });
        uses.set(symbol, known);
      }
  }
  const isAll = isWhole && candidates.length <= maxCandidates;
  return {
    uses,
    notes: isAll ? [] : ['Not all uses of the changed code were checked: its names occur too often'],
  };
}

/** Lists of words; a file that uses the symbol contains all words of one of the lists. */
async function wordsOf({ symbol, oldPath }: ChangedSymbol, base: RepositoryCode): Promise<string[][]> {
  if (symbol === 'default' || symbol === 'module.exports') return [[stemOf(oldPath)]];
  const [, from] = /^\* from '(.*)'$/.exec(symbol) ?? [];
  if (from !== undefined) return (await namesThrough(base, oldPath, from)).map((name) => [name]);
  // A member is accessed through its class, so that the file contains both names.
  return [symbol.split('.')];
}

async function symbolOf(
  path: string,
  use: Use,
  base: RepositoryCode,
  wanted: ReadonlyMap<string, ChangedSymbol>,
): Promise<ChangedSymbol | undefined> {
  const { found, members, through } = await base.used(path, use);
  const given = through.map(({ path: there, name }) => wanted.get(`${there}\0${name}`));
  const reexported = given.find((symbol) => symbol?.isOnlyExported);
  if (typeof found !== 'object' || found.definition === null) return reexported;
  const name = found.definition.name;
  const [member] = members;
  if (member !== undefined)
    for (const file of await base.unit(found.path)) {
      const symbol = wanted.get(`${file}\0${name}.${member}`);
      if (symbol !== undefined) return symbol;
    }
  // A use of a member on an object is not a use of the class itself: that is where the object is created.
  return use.of === undefined ? (wanted.get(`${found.path}\0${name}`) ?? reexported) : undefined;
}

function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
  return name === 'index' ? (path.split('/').at(-2) ?? name) : name;
}

/** Decides the state of a use in the head: whether it was updated, and if not, whether it still resolves and fits. */
async function judge(
  { path, use, occurrence }: PlacedUse,
  symbol: ChangedSymbol,
  changed: ChangedLines | undefined,
  head: RepositoryCode,
): Promise<Reference> {
  const line = changed === undefined ? use.line : changed.lines.newLineOf(use.line);
  if (line === null) return { path, line: use.line, state: 'updated', fault: null };
  const headPath = changed?.file.path ?? path;
  const place = { path: headPath, line };
  const facts = await factsWith(headPath, use.name, head);
  if (facts === undefined) return { ...place, ...unknown };
  const same = indexOf(facts).byKey.get(keyOf(use, line))?.[occurrence];
  if (same === undefined) return { ...place, state: 'updated', fault: null };
  // A generated file will be generated again.
  if (await head.isGenerated(headPath)) return { ...place, ...unknown };
  const { found, members } = await head.used(headPath, same);
  const isLeftOut = same.from === undefined && !facts.imports.some(({ local }) => local === same.name);
  // A file that no longer imports a name may get it from a global declaration now.
  const isAmbient =
    isLeftOut &&
    (path === symbol.oldPath
      ? found === 'missing' && (await head.resolver.hasAmbientName?.(same.name)) === true
      : head.language.hasAmbientNames);
  // If the class of an object is missing, the use of the class is reported instead.
  if (found === 'missing' && !isAmbient && same.of === undefined)
    return { ...place, state: 'broken', fault: 'uses it' };
  if (typeof found === 'string' || found.definition === null)
    return { ...place, state: (await head.isLost(headPath, same)) ? 'broken' : 'unknown', fault: null };
  // An exported name that still resolves, in another way, breaks a use only if its signature changed.
  const isCalled = symbol.change === 'signature' || symbol.change === 'made_async';
  if (symbol.isOnlyExported && !isCalled) return { ...place, state: 'fits', fault: null };
  return { ...place, ...(await fit(same, members, found.path, found.definition, symbol, head)) };
}

/** The facts of a file in the head, including uses of a name that it may no longer define. */
async function factsWith(path: string, name: string, head: RepositoryCode) {
  const facts = await head.facts(path);
  if (facts === undefined || indexOf(facts).names.has(name)) return facts;
  const text = await head.tree.read(path);
  return text === undefined ? undefined : readFacts(head.language, path, text, [name]);
}

const maxHops = 8;

/** The names that a file re-exports by `*` from a module, as far as they can be listed. */
async function namesThrough(
  code: RepositoryCode,
  path: string,
  from: string,
  hops = maxHops,
): Promise<string[]> {
  const target = hops === 0 ? undefined : await code.resolve(path, from);
  if (target?.kind !== 'file') return [];
  const found: string[] = [];
  for (const each of (await code.facts(target.path))?.exports ?? [])
    if (each.name === '*') found.push(...(await namesThrough(code, target.path, each.from!, hops - 1)));
    else found.push(each.name);
  return found;
}
