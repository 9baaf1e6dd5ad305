import type { Change } from '../../../../reviewer/change/change.ts';
import { readChange } from '../../../../reviewer/change/read-change.ts';
import type { LoadedConfiguration } from '../../../../reviewer/configuration/load-configuration.ts';
import type { Host } from '../../../connections/hosts/host.ts';
import { gatherReview } from '../../gathering/gather-review.ts';
import type { PullRequestCommits } from '../../mirror/pull-request-commits.ts';
import { finishRun, storeStage } from '../../runs/attempt-store.ts';
import { type ReviewSettings, readReviewSettings } from '../../settings/review-settings.ts';
import { findEarlierResult, readSince } from '../following/earlier-review.ts';
import { findKnownFindings, storePosted, storeSeenFindings } from '../following/finding-store.ts';
import { type JudgedPullRequest, judgePullRequest } from '../following/judge-pull-request.ts';
import { findPullRequest, storeLastReview, storeSummary } from '../pull-request-store.ts';
import { readBaseConfiguration } from './base-configuration.ts';
import { clearStatusDue } from './due-status-store.ts';
import { publishJudged } from './publish-judged.ts';
import {
  LeaseLost,
  NothingToReview,
  type PlannedAttempt,
  type PullRequestRunDeps,
} from './pull-request-attempt.ts';

/** Reviews the commits of a pull request, publishes what was found, and stores it. */
export async function reviewCommits(
  deps: PullRequestRunDeps,
  attempt: PlannedAttempt,
  host: Host,
  commits: PullRequestCommits,
): Promise<void> {
  const { database, clock } = deps;
  const { claim, key, keep } = attempt;
  const { repository, head, mergeBase, bringChange } = commits;
  if (mergeBase === undefined)
    throw new NothingToReview('the pull request and its base branch have no common history');
  const settings = await readReviewSettings(database.sql, key.organizationId);
  const loaded = await readBaseConfiguration(commits, settings);
  await bringChange(mergeBase, head);
  const change = await readChange(repository, { base: mergeBase, head });
  try {
    const judged = await judgeOnce(deps, attempt, commits, change, { ...loaded, settings });
    const publication = await keep('publish', async () => {
      const done = await publishJudged(deps, host, attempt, change, loaded, judged);
      // Whatever became of the run meanwhile: it is at the host.
      await database.transaction(async (tx) => {
        await storePosted(tx, key, done.posted, clock());
        await storeSummary(tx, key, done.summary.id);
        await clearStatusDue(tx, claim);
      });
      return done;
    });
    const { statusRefused } = publication;
    const notes = statusRefused === null ? [] : [`The status is not shown: ${statusRefused}`];
    const result = { ...judged.result, notes: [...judged.result.notes, ...notes] };
    await database.transaction(async (tx) => {
      if (await finishRun(tx, claim, result, clock())) await storeLastReview(tx, key, judged.review);
    });
  } finally {
    await change.close();
  }
}

/** Looks at the change, or takes what an earlier attempt came to: by then its findings are known, and would be taken for old. */
async function judgeOnce(
  deps: PullRequestRunDeps,
  { claim, key, signal, deadline, keep, plan, served }: PlannedAttempt,
  commits: PullRequestCommits,
  change: Change,
  { configuration, notes, settings }: LoadedConfiguration & { readonly settings: ReviewSettings },
): Promise<JudgedPullRequest> {
  const { database, clock } = deps;
  const done = claim.stages.judge as JudgedPullRequest | undefined;
  if (done !== undefined) return done;
  const pull = await findPullRequest(database.sql, key);
  const last = pull?.lastReview ?? null;
  const since = last === null ? null : await readSince(commits, change, last);
  try {
    const known = await findKnownFindings(database.sql, key);
    const { organizationId, number } = key;
    const pullRequest = {
      number,
      url: plan.url,
      title: plan.title,
      description: plan.description,
      isFromFork: plan.isFork,
      repositoryUrl: `${served.connection.url}/${served.repository.fullName}`,
      knownFindings: known.filter(({ state }) => state !== 'outdated'),
    };
    const judged = await judgePullRequest({
      ...(await gatherReview(deps, { run: claim, settings, configuration, pullRequest })),
      runId: claim.runId,
      run: claim,
      change,
      configuration,
      notes,
      signal,
      deadline,
      stage: keep,
      known,
      last,
      earlier:
        last === null
          ? undefined
          : await findEarlierResult(database.sql, { organizationId, runId: last.runId }),
      since,
    });
    await database.transaction(async (tx) => {
      if (!(await storeStage(tx, claim, 'judge', judged))) throw new LeaseLost('the run has ended');
      await storeSeenFindings(tx, key, claim.runId, judged.seen, clock());
    });
    return judged;
  } finally {
    await since?.close();
  }
}
