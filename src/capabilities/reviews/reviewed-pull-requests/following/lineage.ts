import type { Change, ChangedFile } from '../../../../reviewer/change/change.ts';
import type { ReviewedFile } from '../pull-request-facts.ts';
import { patchOf } from './change-patch.ts';

/**
 * Determines the path under which a file was first known in its pull request. Renames since the last review are found by the
 * difference between the two heads or, if the former is gone, by an equal patch.
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
