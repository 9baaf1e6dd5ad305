import { findMissing } from '../../../reviewer/repository/describe-objects.ts';
import type { RepositoryPlace } from '../../../reviewer/repository/repository.ts';
import { findChangedFiles } from './revisions.ts';

export interface MissingRequest {
  readonly repository: RepositoryPlace;
  readonly base: string;
  readonly head: string;
  readonly paths?: readonly string[] | undefined;
}

/** The ids of the files that differ between two commits and whose contents are not in the mirror. */
export async function work({ repository, base, head, paths }: MissingRequest): Promise<string[]> {
  return findMissing(repository, await findChangedFiles(repository, base, head, paths));
}
