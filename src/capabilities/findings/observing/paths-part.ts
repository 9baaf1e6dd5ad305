import type { RepositoryPlace } from '../../../reviewer/repository/repository.ts';
import { hasCommit } from '../tracking/compare-revisions.ts';
import { pathsOf, type Version } from './observe-code.ts';

export interface PathsRequest {
  readonly repository: RepositoryPlace;
  readonly posted: Version;
  readonly now: Version;
  readonly own: readonly string[];
}

/** Which paths matter to findings of a version in a newer one; null if the former is gone. */
export async function work({ repository, posted, now, own }: PathsRequest): Promise<string[] | null> {
  if (!(await hasCommit(repository, posted.revision))) return null;
  return pathsOf(repository, [posted, now], own);
}
