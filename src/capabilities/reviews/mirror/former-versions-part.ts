import type { ChangeSource } from '../../../reviewer/change/change-source.ts';
import type { Workplace } from '../../../reviewer/process/part.ts';
import { mostReplaced } from '../../../reviewer/report/involved.ts';
import { findMissing } from '../../../reviewer/repository/describe-objects.ts';
import { versionsOf } from '../../../reviewer/repository/history.ts';

export interface FormerVersionsRequest {
  readonly change: ChangeSource & { readonly kind: 'commits' };
}

/** Enough for most lines: files that change now have mostly changed recently. */
const maxVersions = 300;
const maxFiles = 10;

/** The ids of former versions of the files whose lines a change replaces, if they are not in the mirror; the newest first. */
export async function work(
  { change: source }: FormerVersionsRequest,
  { openChange }: Pick<Workplace, 'openChange'>,
): Promise<string[]> {
  const { repository, base } = source;
  const paths = mostReplaced(await openChange(source), maxFiles).map(({ oldPath }) => oldPath!);
  return findMissing(repository, await versionsOf(repository, base, paths, maxVersions));
}
