import type { Change } from '../../change/change.ts';
import { mapLines } from '../../change/hunks.ts';
import type { Use } from '../code-facts.ts';
import type { RepositoryCode } from '../repository-code.ts';
import { type ChangedSymbol, changedSymbols } from './changed-symbols.ts';
import { indexOf, isExcused, judge, type PlacedUse, type Reference, unknown } from './judge-use.ts';
import { keptIn } from './kept-uses.ts';
import { withMoves } from './moved-symbols.ts';
import { isDeleted, KeptUses } from './touched-lines.ts';

export interface Impact extends Omit<ChangedSymbol, 'oldPath'> {
  readonly references: readonly Reference[];
}

export interface ImpactSearch {
  readonly impacts: readonly Impact[];
  /** Notes for the reader about what was not searched. */
  readonly notes: readonly string[];
}

const maxCandidates = 1_500;

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
  const wanted = new Map(symbols.map((symbol) => [`${symbol.oldPath}\0${symbol.symbol}`, symbol]));
  const { uses, notes } = await findUses(symbols, wanted, base, ended);
  const impacts: Impact[] = [];
  for (const symbol of symbols) {
    const references: Reference[] = [];
    // A move does not affect uses in the file that it came from.
    const affected = (uses.get(symbol) ?? []).filter(
      ({ path }) => symbol.change !== 'moved' || path !== symbol.oldPath,
    );
    const kept = new KeptUses();
    const isOfSymbol = async (path: string, use: Use) => (await symbolOf(path, use, base, wanted)) === symbol;
    for (const [path, own] of Map.groupBy(affected, (placed) => placed.path)) {
      const edited = changed.get(path);
      if (edited === undefined || ended?.aborted) continue;
      for (const reference of await keptIn(path, own, edited, symbol, head, isOfSymbol)) {
        kept.add(edited, reference.line);
        references.push(reference);
      }
    }
    for (const placed of affected) {
      if (ended?.aborted || wentAway(placed)) continue;
      const edited = changed.get(placed.path);
      const reference = await judge(placed, symbol, edited, head);
      if (reference.state === 'updated' && kept.take(edited, placed.use.line)) continue;
      references.push(
        (await isExcused(reference, placed.use, head)) ? { ...reference, ...unknown } : reference,
      );
    }
    // An exported name that nothing imports has no impact.
    if (references.length > 0 || !symbol.isOnlyExported)
      impacts.push({ ...symbol, references: onePerLine(references) });
  }
  return { impacts, notes };
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

/** Finds all uses of the symbols in the base. */
async function findUses(
  symbols: readonly ChangedSymbol[],
  wanted: ReadonlyMap<string, ChangedSymbol>,
  base: RepositoryCode,
  ended?: AbortSignal,
) {
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
