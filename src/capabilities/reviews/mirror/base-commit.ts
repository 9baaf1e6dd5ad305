import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { partsOf } from '../../../reviewer/process/part.ts';
import { openRepository, placeOf, type RepositoryPlace } from '../../../reviewer/repository/repository.ts';
import type { CloneSource } from '../../connections/hosts/review-host.ts';
import { bringTree } from './bring-tree.ts';
import { CommitGone, type ReadingDeps } from './pull-request-commits.ts';
import { findCommit } from './revisions.ts';

export interface WantedBase {
  readonly organizationId: OrganizationId;
  readonly repositoryId: RepositoryId;
  /** A commit id. */
  readonly revision: string;
}

/** Fetches one commit with its files into the mirror of its repository, and opens it while `work` reads. */
export async function withBase<Result>(
  { mirrors, searchPath, processes }: ReadingDeps,
  source: CloneSource,
  wanted: WantedBase,
  signal: AbortSignal,
  /** Gets a sentence for people if not all files could be fetched. */
  work: (repository: RepositoryPlace, incomplete: string | null) => Promise<Result>,
): Promise<Result> {
  const { organizationId, revision } = wanted;
  return mirrors.use(wanted, source, async (mirror) => {
    const settings = { searchPath, signal };
    if (!(await mirror.has(revision, signal)))
      await mirror.fetchRefs([`+${revision}:refs/postil/sent/${revision}`], signal);
    const repository = await openRepository(mirror.folder, settings);
    try {
      if ((await findCommit(repository, revision)) !== revision)
        throw new CommitGone(`the commit ${revision} is gone`);
      const run = partsOf(processes, { group: organizationId, signal });
      const place = placeOf(repository);
      return await work(place, await bringTree(mirror, place, revision, run, signal));
    } finally {
      await repository.close();
    }
  });
}
