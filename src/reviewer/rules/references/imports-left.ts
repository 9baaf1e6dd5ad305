import type { Change, ChangedFile } from '../../change/change.ts';
import { isGeneratedPath } from '../../change/file-kinds.ts';
import { mapLines } from '../../change/hunks.ts';
import type { RepositoryCode } from '../../code/repository-code.ts';

/** An import that the change did not touch; `path` and `line` are those of the new version. */
export interface ImportLeft {
  /** The path of the importing file in the old version. */
  readonly importer: string;
  readonly from: string;
  /** The imported name, or `*`, or empty, as in `Import`. */
  readonly imported: string;
  readonly path: string;
  readonly line: number;
}

/** Returns a function that reads the imports of a file that the change did not touch, without those that are expected to fail. */
export function importsLeftBy(change: Change, base: RepositoryCode, head: RepositoryCode) {
  const changed = new Map<string, ChangedFile>(change.files.map((file) => [file.oldPath ?? file.path, file]));
  return async function importsOf(importer: string): Promise<ImportLeft[]> {
    const edited = changed.get(importer);
    if (edited?.kind === 'deleted' || isGeneratedPath(importer)) return [];
    const path = edited?.path ?? importer;
    const lines = edited === undefined ? undefined : mapLines(edited.hunks);
    const today = (await head.facts(path))?.imports ?? [];
    const left: ImportLeft[] = [];
    for (const { from, imported, line, isGuarded } of (await base.facts(importer))?.imports ?? []) {
      const now = lines === undefined ? line : lines.newLineOf(line);
      if (isGuarded || now === null) continue;
      // An unchanged line may belong to a statement whose beginning has changed.
      if (today.some((each) => each.line === now && each.from === from && each.imported === imported))
        left.push({ importer, from, imported, path, line: now });
    }
    return left;
  };
}
