import { type ChangeSource, filesByPath } from '../../reviewer/change/change-source.ts';
import { pathTest } from '../../reviewer/change/select-paths.ts';
import type { Workplace } from '../../reviewer/process/part.ts';
import { listFilesAt } from '../../reviewer/repository/read-file-at.ts';

/** What became of the change and of the paths that somebody named. */
export interface Selection {
  readonly files: number;
  /** Paths that match neither a file of the change nor one of either revision. */
  readonly unmatched: readonly string[];
}

/** Looks whether each of the selected paths is that of something. */
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
