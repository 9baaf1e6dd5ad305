import type { Database } from '../../../../db/database.ts';
import type { Host, HostPullRequest } from '../../../connections/hosts/host.ts';
import { readAtHost } from '../../../connections/own-accounts.ts';
import type { ServedRepository } from '../../../connections/reading/serving-connection.ts';
import type { PullRequestKey } from '../../../pull-requests/pull-request-state.ts';
import {
  findPullRequest,
  insertPullRequest,
  lockPullRequest,
  updatePullRequest,
} from '../pull-request-store.ts';
import { reasonToSkip } from '../reason-to-skip.ts';

/** The plan of a run: what it reviews, or why it does not. Stored as its first stage. */
export interface RunPlan {
  readonly head: string;
  readonly base: HostPullRequest['base'];
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly isFork: boolean;
  /** The reason to skip the review; null if the pull request is reviewed. */
  readonly skipped: string | null;
  /** Whether the head was reviewed before; absent if an earlier version of Postil has stored the plan. */
  readonly isReviewed?: boolean;
}

/** How hosts name a repository. */
export function refOf({ repository: { providerRepositoryId: id, fullName } }: ServedRepository) {
  return { id, fullName };
}

/** Reads a pull request from its host and stores its state, so that a late delivery about this state starts no further run. */
export async function readPresentState(
  { database, clock }: { readonly database: Database; readonly clock: () => Date },
  host: Host,
  served: ServedRepository,
  { organizationId, repositoryId, number }: PullRequestKey,
): Promise<HostPullRequest | null> {
  const readAt = clock();
  const pull = await readAtHost(database.sql, host, served.connection, refOf(served), number);
  if (pull === null) return null;
  const key = { organizationId, repositoryId, number };
  await database.transaction(async (tx) => {
    if (await insertPullRequest(tx, key, pull, readAt, null)) return;
    const known = (await lockPullRequest(tx, key))!;
    if (known.readAt <= readAt) await updatePullRequest(tx, key, pull, readAt, known.due);
  });
  return pull;
}

/** Plans a run; null if the pull request no longer exists. `isAsked`: somebody with a seat asked for the run. */
export async function planRun(
  deps: { readonly database: Database; readonly clock: () => Date },
  host: Host,
  served: ServedRepository,
  key: PullRequestKey,
  isAsked: boolean,
): Promise<RunPlan | null> {
  const { sql } = deps.database;
  const pull = await readPresentState(deps, host, served, key);
  if (pull === null) return null;
  const { isPaused, lastReview } = (await findPullRequest(sql, key))!;
  const ended = pull.state === 'open' ? null : `the pull request is ${pull.state}`;
  return {
    head: pull.head.sha,
    base: pull.base,
    url: pull.url,
    title: pull.title,
    description: pull.description,
    isFork: pull.head.isFork,
    skipped: ended ?? (isAsked ? null : await reasonToSkip(sql, key, { isPaused, author: pull.author })),
    isReviewed: lastReview?.head === pull.head.sha,
  };
}
