import { type ChangeSource, filesByPath } from '../../reviewer/change/change-source.ts';
import { pathTest } from '../../reviewer/change/select-paths.ts';
import type { Workplace } from '../../reviewer/process/part.ts';
import { listFilesAt } from '../../reviewer/repository/read-file-at.ts';

/** How many files were selected, and which of the given paths match nothing. */
export interface Selection {
  readonly files: number;
  /** Paths that match neither a file of the change nor one of either revision. */
  readonly unmatched: readonly string[];
}

/** Checks whether each of the selected paths matches a file. */
export async function work(
  { change }: { readonly change: ChangeSource & { readonly kind: 'commits' } },
  { openChange }: Pick<Workplace, 'openChange'>,
): Promise<Selection> {
  const names = [...filesByPath(await openChange(change)).keys()];
  const unchanged = (change.selected ?? []).filter((wanted) => !names.some(pathTest(wanted)));
  const { repository, base, head } = change;
  const all =
    unchanged.length === 0
      ? []
      : [...(await listFilesAt(repository, base)), ...(await listFilesAt(repository, head ?? 'HEAD'))];
  return { files: names.length, unmatched: unchanged.filter((wanted) => !all.some(pathTest(wanted))) };
}
