import type { ChangedFile } from '../../change/change.ts';
import { type ComparedContract, type ComparedContracts, notRead } from './compared.ts';
import type { Difference, FileDefinitions } from './difference.ts';

/** How definitions that have names of their own are read and compared. */
export interface DefinitionFormat<Definition> {
  readonly kind: ComparedContract['kind'];
  read(path: string, text: string): Map<string, Definition>;
  /** Why a file could not be read; undefined for what is not its fault. */
  faultOf(error: unknown): string | undefined;
  compare(files: readonly FileDefinitions<Definition>[]): Difference[];
}

/** Reads both versions of the files and compares all definitions of them, since one may move from file to file. */
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
    // A file that was moved as it is, or that only may be executed now.
    if (file.missing === null && file.hunks.length === 0) continue;
    const [before, after] = [await file.oldText(), await file.newText()];
    const isMissing =
      (change !== 'added' && before === undefined) || (change !== 'deleted' && after === undefined);
    if (isMissing) {
      notes.push(notRead(path, 'its text is not here'));
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
