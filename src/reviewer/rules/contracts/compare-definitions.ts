import type { ChangedFile } from '../../change/change.ts';
import { type ComparedContract, type ComparedContracts, notRead } from './compared.ts';
import type { Difference, FileDefinitions } from './difference.ts';

/** How the named definitions of a format are parsed and compared. */
export interface DefinitionFormat<Definition> {
  readonly kind: ComparedContract['kind'];
  read(path: string, text: string): Map<string, Definition>;
  /** Why a file could not be parsed; undefined for errors that are not the file's fault. */
  faultOf(error: unknown): string | undefined;
  compare(files: readonly FileDefinitions<Definition>[]): Difference[];
}

/** Parses both versions of the files and compares the definitions of all files together, since one may move to another file. */
export async function versionsOf<Definition>(
  files: readonly ChangedFile[],
  { kind, read, faultOf, compare }: DefinitionFormat<Definition>,
  signal: AbortSignal,
): Promise<ComparedContracts> {
  const versions: FileDefinitions<Definition>[] = [];
  const notes: string[] = [];
  for (const file of files) {
    signal.throwIfAborted();
    const { path, oldPath, kind: change } = file;
    // A pure rename, or only a change of the file's mode.
    if (file.missing === null && file.hunks.length === 0) continue;
    const [before, after] = [await file.oldText(), await file.newText()];
    const isMissing =
      (change !== 'added' && before === undefined) || (change !== 'deleted' && after === undefined);
    if (isMissing) {
      notes.push(notRead(path, 'its content is not available'));
      continue;
    }
    try {
      versions.push({ before: read(oldPath ?? path, before ?? ''), after: read(path, after ?? '') });
    } catch (error) {
      const why = faultOf(error);
      if (why === undefined) throw error;
      notes.push(notRead(path, why));
    }
  }
  const renamed = new Map(files.map(({ path, oldPath }) => [oldPath ?? path, path]));
  const byPath = Map.groupBy(compare(versions), ({ path }) => renamed.get(path) ?? path);
  return { contracts: [...byPath].map(([path, differences]) => ({ path, kind, differences })), notes };
}
