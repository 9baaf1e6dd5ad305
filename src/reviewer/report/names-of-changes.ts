import type { ChangedFile } from '../change/change.ts';
import type { CodeFacts, Definition } from '../code/code-facts.ts';
import type { SymbolNames } from '../review-report.ts';

export const noSymbols: SymbolNames = { added: [], changed: [], removed: [] };

/** The names of the definitions that a change adds, alters or removes in a file, from the facts of both versions. */
export function changedSymbols(
  file: ChangedFile,
  before: CodeFacts | undefined,
  after: CodeFacts | undefined,
): SymbolNames {
  const isNew = file.oldPath === null;
  const isGone = file.kind === 'deleted';
  // Nothing is known about a version that does not parse.
  if ((before === undefined && !isNew) || (after === undefined && !isGone)) return noSymbols;
  const [old, now] = [before?.definitions ?? [], after?.definitions ?? []];
  const [oldNames, newNames] = [namesOf(old), namesOf(now)];
  const touched = new Set<string>();
  for (const { lines } of file.hunks)
    for (const { kind, oldLine, newLine } of lines) {
      if (kind === 'context') continue;
      const name = kind === 'added' ? nameAround(now, newLine!) : nameAround(old, oldLine!);
      if (name !== undefined) touched.add(name);
    }
  return {
    added: outermost([...newNames].filter((name) => !oldNames.has(name))),
    changed: [...touched].filter((name) => oldNames.has(name) && newNames.has(name)),
    removed: outermost([...oldNames].filter((name) => !newNames.has(name))),
  };
}

const namesOf = (definitions: readonly Definition[]) =>
  new Set(definitions.map(({ name }) => name).filter((name) => name !== 'default'));

/** The name of the innermost definition around a line. */
function nameAround(definitions: readonly Definition[], line: number): string | undefined {
  let innermost: Definition | undefined;
  for (const each of definitions)
    if (
      each.startLine <= line &&
      line <= each.endLine &&
      (innermost === undefined || each.startLine >= innermost.startLine)
    )
      innermost = each;
  return innermost?.name;
}

/** Removes members of classes that are in the list themselves. */
function outermost(names: readonly string[]): string[] {
  const all = new Set(names);
  return names.filter((name) => !all.has(name.slice(0, Math.max(name.lastIndexOf('.'), 0))));
}
