import type { TreeView } from '../repository/tree-view.ts';
import type { Change, ChangedFile } from './change.ts';
import { applyHunks } from './hunks.ts';

/** Combines a sent diff with its base commit: new texts that were not sent are computed by applying hunks to the old ones. */
export function changeOnBase(change: Change, base: TreeView): Change {
  const files = change.files.map((file): ChangedFile => {
    if (file.missing !== null || file.kind === 'added' || file.kind === 'deleted') return file;
    const newText = async () => (await file.newText()) ?? (await madeText(file, base));
    const oldText = async () => (await file.oldText()) ?? base.read(file.oldPath ?? file.path);
    return { ...file, newText, oldText };
  });
  return { ...change, baseRevision: base.revision, files, close: () => base.close() };
}

/** Undefined if the file's hunks do not apply to the base. */
async function madeText({ path, oldPath, hunks }: ChangedFile, base: TreeView): Promise<string | undefined> {
  const text = await base.read(oldPath ?? path);
  return text === undefined ? undefined : applyHunks(text, hunks);
}

/**
 * The texts after the change of the files that it touches, by path; null for paths that do not exist any more. `misfits` are
 * files whose new text is unknown or whose hunks do not apply to the base.
 */
export async function textsAfter(
  { files }: Change,
  base: TreeView,
): Promise<{ readonly texts: ReadonlyMap<string, string | null>; readonly misfits: readonly string[] }> {
  const texts = new Map<string, string | null>();
  const misfits: string[] = [];
  for (const file of files) {
    const { path, oldPath, kind, missing } = file;
    if (oldPath !== null && kind !== 'copied' && (kind === 'deleted' || oldPath !== path))
      texts.set(oldPath, null);
    if (kind === 'deleted' || missing !== null) continue;
    const text = await file.newText();
    const fits = kind === 'added' || (await madeText(file, base)) !== undefined;
    if (text === undefined || !fits) misfits.push(path);
    else texts.set(path, text);
  }
  return { texts, misfits };
}
