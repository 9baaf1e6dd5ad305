import type { Change, ChangedFile } from '../../../../reviewer/change/change.ts';
import type { ReviewedFile } from '../pull-request-facts.ts';
import { patchOf } from './change-patch.ts';

/**
 * Tells under which path a file was first known in its pull request. A file that was renamed since the last review is
 * followed by what differs between the two heads or, where the former is gone, by a patch that is the same.
 */
export function lineages(
  change: Change,
  reviewed: readonly ReviewedFile[],
  since: Change | null,
): (file: ChangedFile) => string {
  const byPath = new Map(reviewed.map((file) => [file.path, file]));
  const present = new Set(change.files.map(({ path }) => path));
  const vanished = new Map(
    reviewed.filter(({ path }) => !present.has(path)).map((file) => [file.patch, file]),
  );
  const renamedFrom = new Map(
    (since?.files ?? []).flatMap(({ kind, path, oldPath }) =>
      kind === 'renamed' && oldPath !== null ? [[path, oldPath] as const] : [],
    ),
  );
  return (file) => {
    const known =
      byPath.get(file.path) ??
      byPath.get(renamedFrom.get(file.path) ?? '') ??
      (since === null && file.hunks.length > 0 ? vanished.get(patchOf(file)) : undefined);
    return known?.lineage ?? file.oldPath ?? file.path;
  };
}
