import type { Use } from '../code-facts.ts';
import type { RepositoryCode } from '../repository-code.ts';
import { type ChangedSymbol, isGone, isMadeAsync } from './changed-symbols.ts';
import { awaitFaults } from './fit.ts';
import { factsWith, isExcused, type PlacedUse, type Reference, stateOf } from './judge-use.ts';
import type { ChangedLines } from './touched-lines.ts';

/**
 * The uses on added lines that still need what is gone, or still do not wait for what is asynchronous now: a change that edits a
 * line does not mend it by that. An import that the change adds, and a call that does not match, are findings of their own.
 */
export async function keptIn(
  path: string,
  former: readonly PlacedUse[],
  { file }: ChangedLines,
  symbol: ChangedSymbol,
  head: RepositoryCode,
  isOfSymbol: (path: string, use: Use) => Promise<boolean>,
): Promise<Reference[]> {
  const isFault = faultsLeftBy(symbol);
  if (isFault === undefined) return [];
  const names = [...new Set(former.map(({ use }) => use.name))];
  const facts = file.kind === 'deleted' ? undefined : await factsWith(file.path, names, head);
  const found: Reference[] = [];
  for (const use of facts?.uses ?? []) {
    const isCandidate = file.addedLines.has(use.line) && use.from === undefined && names.includes(use.name);
    if (!isCandidate || !(await isOfSymbol(path, use))) continue;
    const { state, fault } = await stateOf(file.path, use, facts!, symbol, head);
    if (state !== 'broken' || !isFault(fault)) continue;
    const isImportAdded = facts!.imports.some(
      ({ local, line }) => local === use.name && file.addedLines.has(line),
    );
    const reference = { path: file.path, line: use.line, state, fault: isImportAdded ? null : fault };
    if (!(await isExcused(reference, use, head))) found.push(reference);
  }
  return found;
}

/** Tests for the faults that an edited line may still have; undefined if it has none that no other finding tells. */
function faultsLeftBy(symbol: ChangedSymbol): ((fault: string | null) => boolean) | undefined {
  if (isGone(symbol)) return (fault) => fault === null || fault === 'uses it';
  if (symbol.after === null || !isMadeAsync(symbol.before, symbol.after)) return undefined;
  return (fault) => fault === awaitFaults.used || fault === awaitFaults.dropped;
}
