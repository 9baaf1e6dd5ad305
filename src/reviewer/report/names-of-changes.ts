import type { ChangedFile } from '../change/change.ts';
import type { CodeFacts, Definition } from '../code/code-facts.ts';
import type { SymbolNames } from '../review-report.ts';

export const noSymbols: SymbolNames = { added: [], changed: [], removed: [] };

/** What the change does to the things that a file defines, by the facts of both of its versions. */
export function changedSymbols(
  file: ChangedFile,
  before: CodeFacts | undefined,
  after: CodeFacts | undefined,
): SymbolNames {
  const isNew = file.oldPath === null;
  const isGone = file.kind === 'deleted';
  // What does not parse says nothing.
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

/** The innermost definition around a line. */
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

/** Without the members of what is among them itself. */
function outermost(names: readonly string[]): string[] {
  const all = new Set(names);
  return names.filter((name) => !all.has(name.slice(0, Math.max(name.lastIndexOf('.'), 0))));
}
