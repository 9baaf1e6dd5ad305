import type { Use } from '../code-facts.ts';
import type { RepositoryCode } from '../repository-code.ts';
import type { ChangedSymbol } from './changed-symbols.ts';
import { factsWith, isExcused, type PlacedUse, type Reference, stateOf } from './judge-use.ts';
import type { ChangedLines } from './touched-lines.ts';

/**
 * The uses on added lines that still need what is gone: a change that edits a line does not mend it by that. An import that the
 * change adds is a finding of its own.
 */
export async function keptIn(
  path: string,
  former: readonly PlacedUse[],
  { file }: ChangedLines,
  symbol: ChangedSymbol,
  head: RepositoryCode,
  isOfSymbol: (path: string, use: Use) => Promise<boolean>,
): Promise<Reference[]> {
  const names = [...new Set(former.map(({ use }) => use.name))];
  const facts = file.kind === 'deleted' ? undefined : await factsWith(file.path, names, head);
  const found: Reference[] = [];
  for (const use of facts?.uses ?? []) {
    const isCandidate = file.addedLines.has(use.line) && use.from === undefined && names.includes(use.name);
    if (!isCandidate || !(await isOfSymbol(path, use))) continue;
    const { state, fault } = await stateOf(file.path, use, facts!, symbol, head);
    if (state !== 'broken' || (fault !== null && fault !== 'uses it')) continue;
    const isImportAdded = facts!.imports.some(
      ({ local, line }) => local === use.name && file.addedLines.has(line),
    );
    const reference = { path: file.path, line: use.line, state, fault: isImportAdded ? null : fault };
    if (!(await isExcused(reference, use, head))) found.push(reference);
  }
  return found;
}
