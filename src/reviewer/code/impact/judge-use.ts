import type { CodeFacts, Use } from '../code-facts.ts';
import { isGuardedUse } from '../guarded-uses.ts';
import { readFacts } from '../read-facts.ts';
import type { RepositoryCode } from '../repository-code.ts';
import type { ChangedSymbol } from './changed-symbols.ts';
import { fit } from './fit.ts';
import type { ChangedLines } from './touched-lines.ts';

/** A place that uses an altered symbol. `line` is its line in the head, or in the base if the change removed or edited it. */
export interface Reference {
  readonly path: string;
  readonly line: number;
  /** `updated`: the change touches it, and it no longer uses what is gone; `fits`: untouched and still right. */
  readonly state: 'updated' | 'fits' | 'broken' | 'unknown';
  /** What is wrong with it, as text; null if nothing is, or only its import is broken, which is a finding of its own. */
  readonly fault: string | null;
}

export const unknown = { state: 'unknown', fault: null } as const;

export interface PlacedUse {
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
export function indexOf(facts: CodeFacts): UseIndex {
  const known = indexes.get(facts) ?? {
    byKey: Map.groupBy(facts.uses, (use) => keyOf(use, use.line)),
    names: new Set(facts.uses.map(({ name }) => name)),
  };
  indexes.set(facts, known);
  return known;
}

/** Decides the state of a use in the head: whether it was updated, and if not, whether it still resolves and fits. */
export async function judge(
  { path, use, occurrence }: PlacedUse,
  symbol: ChangedSymbol,
  changed: ChangedLines | undefined,
  head: RepositoryCode,
): Promise<Reference> {
  const line = changed === undefined ? use.line : changed.lines.newLineOf(use.line);
  if (line === null) return { path, line: use.line, state: 'updated', fault: null };
  const headPath = changed?.file.path ?? path;
  const place = { path: headPath, line };
  const facts = await factsWith(headPath, [use.name], head);
  if (facts === undefined) return { ...place, ...unknown };
  const same = indexOf(facts).byKey.get(keyOf(use, line))?.[occurrence];
  if (same === undefined) return { ...place, state: 'updated', fault: null };
  return { ...place, ...(await stateOf(headPath, same, facts, symbol, head)) };
}

/** Decides whether a use in the head still resolves and fits. */
export async function stateOf(
  path: string,
  use: Use,
  facts: CodeFacts,
  symbol: ChangedSymbol,
  head: RepositoryCode,
): Promise<Pick<Reference, 'state' | 'fault'>> {
  // A generated file will be generated again.
  if (await head.isGenerated(path)) return unknown;
  const { found, members } = await head.used(path, use);
  const isLeftOut = use.from === undefined && !facts.imports.some(({ local }) => local === use.name);
  // A file that no longer imports a name may get it from a global declaration now.
  const isAmbient =
    isLeftOut &&
    (path === symbol.oldPath
      ? found === 'missing' && (await head.resolver.hasAmbientName?.(use.name)) === true
      : head.language.hasAmbientNames);
  // If the class of an object is missing, the use of the class is reported instead.
  if (found === 'missing' && !isAmbient && use.of === undefined) return { state: 'broken', fault: 'uses it' };
  if (typeof found === 'string' || found.definition === null)
    return { state: (await head.isLost(path, use)) ? 'broken' : 'unknown', fault: null };
  // An exported name that still resolves, in another way, breaks a use only if its signature changed.
  const isCalled = symbol.change === 'signature' || symbol.change === 'made_async';
  if (symbol.isOnlyExported && !isCalled) return { state: 'fits', fault: null };
  return fit(use, members, found.path, found.definition, symbol, head);
}

/** The facts of a file in the head, including uses of names that it may no longer define. */
export async function factsWith(path: string, names: readonly string[], head: RepositoryCode) {
  const facts = await head.facts(path);
  if (facts === undefined || names.every((name) => indexOf(facts).names.has(name))) return facts;
  const text = await head.tree.read(path);
  return text === undefined ? undefined : readFacts(head.language, path, text, names);
}

/** Whether the code around a broken use expects that it fails. */
export async function isExcused(reference: Reference, use: Use, head: RepositoryCode): Promise<boolean> {
  if (reference.state !== 'broken') return false;
  const isGone = reference.fault === null || reference.fault === 'uses it';
  return isGuardedUse(head, reference, use.members.at(-1) ?? use.name, isGone);
}
