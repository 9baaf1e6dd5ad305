import type { Definition, Use } from '../code-facts.ts';
import type { RepositoryCode } from '../repository-code.ts';
import { misfitOf } from './call-fit.ts';
import { type ChangedSymbol, isMadeAsync } from './changed-symbols.ts';

interface Fit {
  readonly state: 'fits' | 'broken' | 'unknown';
  /** What is wrong with it, as text; null if nothing is. */
  readonly fault: string | null;
}

/** The faults of a call whose promise is not awaited. */
export const awaitFaults = {
  used: 'does not await its result',
  dropped: 'does not await it',
} as const;

/** Whether a use fits the definition in the head that it resolves to, or the accessed member of it. */
export async function fit(
  use: Use,
  members: readonly string[],
  path: string,
  definition: Definition,
  symbol: ChangedSymbol,
  head: RepositoryCode,
): Promise<Fit> {
  const [member, ...deeper] = members;
  const target =
    member === undefined ? definition : await head.member(path, definition, { ...use, members: [member] });
  if (target === undefined)
    return symbol.symbol === `${definition.name}.${member}` &&
      (await isWithout(member!, definition, use, head))
      ? { state: 'broken', fault: 'uses it' }
      : { state: 'unknown', fault: null };
  if (use.call === null || deeper.length > 0) return { state: 'fits', fault: null };
  if (target.parameters === null) return { state: 'unknown', fault: null };
  const misfit = misfitOf(use.call, target.parameters, head.language.isStrict(path));
  if (misfit !== null) return { state: 'broken', fault: misfit };
  if (use.call.isOpen && symbol.change === 'signature') return { state: 'unknown', fault: null };
  const { result } = use;
  const isNotAwaited = isMadeAsync(symbol.before, target) && (result === 'used' || result === 'dropped');
  return isNotAwaited ? { state: 'broken', fault: awaitFaults[result] } : { state: 'fits', fault: null };
}

const maxDefiners = 200;

/**
 * Whether a class certainly lacks a member: it neither inherits nor assigns it, and no other file, such as a test, defines it
 * for the class. On `self`, no other class may define it either, because the object may be of a subclass.
 */
async function isWithout(
  member: string,
  { name, inherits, fields = [] }: Definition,
  { of }: Use,
  head: RepositoryCode,
): Promise<boolean> {
  if (inherits === true || fields.includes(member) || fields.includes('*')) return false;
  if (of === undefined) return true;
  const { places, isWhole } = await head.tree.findWords([member], head.language.pathspecs);
  const files = [...new Set(places.map(({ path }) => path))];
  if (!isWhole || files.length > maxDefiners) return false;
  const defines = of === 'self' ? `.${member}` : `${name}.${member}`;
  for (const file of files)
    if ((await head.facts(file))?.definitions.some((each) => each.name.endsWith(defines))) return false;
  return true;
}
