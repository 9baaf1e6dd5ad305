import type { Change, ChangedFile } from '../../change/change.ts';
import { filesByPath } from '../../change/change-source.ts';

/** Reduces a file to the hunks that `since` touches, which a model has not seen; to all if `since` lacks the file. */
export function focusOn(since: Change | null, file: ChangedFile): ChangedFile {
  const later = since === null ? undefined : filesByPath(since).get(file.path);
  if (later === undefined || later.missing !== null) return file;
  const touched = later.hunks.flatMap(({ newStart, lines }) => [
    ...(lines.some(({ kind }) => kind === 'removed') ? [newStart] : []),
    ...lines.flatMap(({ kind, newLine }) => (kind === 'added' ? [newLine!] : [])),
  ]);
  const sorted = Int32Array.from(touched).sort();
  let at = 0;
  const hunks = file.hunks.filter(({ newStart, newCount }) => {
    while (at < sorted.length && sorted[at]! < newStart) at += 1;
    return at < sorted.length && sorted[at]! < newStart + newCount;
  });
  return { ...file, hunks };
}
