import { namesOfChecks } from '../../../reviewer/checks/evaluate-checks.ts';
import type { Host } from '../../connections/hosts/host.ts';
import type { ServedRepository } from '../../connections/reading/serving-connection.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import type { ReviewedPullRequest } from '../reviewed-pull-requests/pull-request-facts.ts';
import {
  type CommitDeps,
  readBaseConfiguration,
  withPullRequest,
} from '../reviewed-pull-requests/running/base-configuration.ts';
import { readReviewSettings } from '../settings/review-settings.ts';

/** A pull request at its host. */
interface Place {
  readonly key: PullRequestKey;
  readonly pull: ReviewedPullRequest;
  readonly served: ServedRepository;
  readonly host: Host;
  readonly signal: AbortSignal;
}

/** The names of the checks that apply to a pull request: those of its base branch and of its organization. */
export async function listCheckNames(
  deps: CommitDeps,
  { key, pull, served, host, signal }: Place,
): Promise<string[]> {
  const settings = await readReviewSettings(deps.database.sql, key.organizationId);
  const revisions = { number: key.number, head: pull.head, base: pull.facts.base };
  return withPullRequest(deps, host, served, revisions, signal, async (commits) => {
    const { configuration } = await readBaseConfiguration(commits, settings);
    return namesOfChecks([settings.enforcedChecks, configuration.checks]);
  });
}
