import type { Database } from '../../../../db/database.ts';
import type { Host, HostPullRequest } from '../../../connections/hosts/host.ts';
import { readAtHost } from '../../../connections/own-accounts.ts';
import type { ServedRepository } from '../../../connections/reading/serving-connection.ts';
import { findMembership } from '../../../people/seats/has-seat.ts';
import type { PullRequestKey } from '../../../pull-requests/pull-request-state.ts';
import type { RunTrigger } from '../../runs/run-record.ts';
import {
  findPullRequest,
  insertPullRequest,
  lockPullRequest,
  updatePullRequest,
} from '../pull-request-store.ts';

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

/** Why a pull request is not reviewed although a run was started; null if it is. */
async function reasonToSkip(
  { database }: { readonly database: Database },
  key: PullRequestKey,
  pull: HostPullRequest,
  trigger: RunTrigger,
): Promise<string | null> {
  if (pull.state !== 'open') return `the pull request is ${pull.state}`;
  // The caller of the API and the author of the command were already checked for a seat.
  if (trigger === 'api' || trigger === 'comment') return null;
  if ((await findPullRequest(database.sql, key))?.isPaused) return 'PAUSED';
  const author =
    pull.author === null ? undefined : await findMembership(database.sql, key.organizationId, pull.author.id);
  return author?.hasSeat === true ? null : 'NO_SEAT';
}

/** Plans a run; null if the pull request no longer exists. */
export async function planRun(
  deps: { readonly database: Database; readonly clock: () => Date },
  host: Host,
  served: ServedRepository,
  key: PullRequestKey,
  trigger: RunTrigger,
): Promise<RunPlan | null> {
  const pull = await readPresentState(deps, host, served, key);
  if (pull === null) return null;
  return {
    head: pull.head.sha,
    base: pull.base,
    url: pull.url,
    title: pull.title,
    description: pull.description,
    isFork: pull.head.isFork,
    skipped: await reasonToSkip(deps, key, pull, trigger),
  };
}
