import { isWorthReading } from '../../../reviewer/change/file-kinds.ts';
import { languages } from '../../../reviewer/code/languages.ts';
import { findMissing } from '../../../reviewer/repository/describe-objects.ts';
import type { RepositoryPlace } from '../../../reviewer/repository/repository.ts';
import { listFiles } from '../../../reviewer/repository/tree-view.ts';

export interface LackingRequest {
  readonly repository: RepositoryPlace;
  readonly commit: string;
}

/** The ids of a commit's files that are worth reading and not in the mirror; code that can be parsed comes first. */
export async function work({ repository, commit }: LackingRequest): Promise<string[]> {
  const files = [...(await listFiles(repository, commit))].filter(([path]) => isWorthReading(path));
  const isCode = (path: string) => languages.some(({ covers }) => covers(path));
  const ids = files.sort(([one], [other]) => Number(isCode(other)) - Number(isCode(one))).map(([, id]) => id);
  return findMissing(repository, [...new Set(ids)]);
}
