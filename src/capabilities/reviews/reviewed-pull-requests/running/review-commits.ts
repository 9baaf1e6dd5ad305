import type { LoadedConfiguration } from '../../../../reviewer/configuration/load-configuration.ts';
import { withGrounds } from '../../../../reviewer/finding.ts';
import { withoutQuiet } from '../../../../reviewer/judge/attention.ts';
import { toNotes } from '../../../../reviewer/notes.ts';
import { partsOf, type RunPart } from '../../../../reviewer/process/part.ts';
import { PartEnded } from '../../../../reviewer/process/part-failure.ts';
import { ownersFiles } from '../../../../reviewer/repository/owners/owners.ts';
import { placeOf } from '../../../../reviewer/repository/repository.ts';
import type { ReviewResult } from '../../../../reviewer/review/review-result.ts';
import type { Host } from '../../../connections/hosts/host.ts';
import { noteOwners } from '../../../connections/reading/note-owners.ts';
import { findEvaluation } from '../../check-records/check-store.ts';
import { gatherReview } from '../../gathering/gather-review.ts';
import { dialectOf, knownPeople } from '../../gathering/known-people.ts';
import type { PullRequestCommits } from '../../mirror/pull-request-commits.ts';
import { withKeptResults } from '../../results/kept-results.ts';
import { finishRun, storeStage } from '../../runs/attempt-store.ts';
import { limitResult } from '../../runs/limit-result.ts';
import { type ReviewSettings, readReviewSettings } from '../../settings/review-settings.ts';
import { findEarlierResult, findSince } from '../following/earlier-review.ts';
import {
  type JudgedPullRequest,
  type JudgeRequest,
  judgePullRequest,
} from '../following/judge-pull-request.ts';
import type { KnownFinding } from '../following/known-finding.ts';
import { findKnownFindings, storePosted, storeSeenFindings } from '../following/known-finding-store.ts';
import type { LastReview } from '../pull-request-facts.ts';
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
import { noteWaiting } from './release-store.ts';
import { showWaiting } from './show-state.ts';

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
  const { signal, deadline } = attempt;
  const run = partsOf(deps.processes, { group: key.organizationId, signal, deadline });
  const loaded = await readBaseConfiguration(commits, settings);
  await bringChange(mergeBase, head);
  const { reviews } = loaded.configuration;
  const { rules, model } = reviews;
  const incomplete = rules.references || model.enabled ? await commits.bringTree(mergeBase) : null;
  await commits.bringFiles(ownersFiles[dialectOf(attempt.served.connection)]);
  const change = { kind: 'commits', repository: placeOf(repository), base: mergeBase, head } as const;
  await commits.bringHistory(change);
  const whole = await judgeOnce(deps, attempt, commits, change, run, {
    ...loaded,
    notes: incomplete === null ? loaded.notes : [...loaded.notes, incomplete],
    settings,
  });
  const judged = await withLastChecks(deps, key, head, { ...whole, result: limitResult(whole.result) });
  const isDraft = reviews.publish === 'on_release' && (await hasUnreleased(deps, key, judged.result));
  const { statusRefused } = await keep('publish', async () => {
    if (isDraft) {
      const run = { ...claim, number: key.number, head };
      const refused = await showWaiting(deps, host, attempt.served, run);
      await clearStatusDue(database.sql, claim);
      return { statusRefused: refused };
    }
    const done = await publishJudged({ ...deps, run }, host, attempt, change, loaded, judged);
    // Stored even if the run was stopped in the meantime, because the comments exist at the host.
    await database.transaction(async (tx) => {
      await storePosted(tx, key, done.posted, clock());
      await storeSummary(tx, key, done.summary.id);
      await clearStatusDue(tx, claim);
    });
    return done;
  });
  const notes = statusRefused === null ? [] : [`The status is not shown: ${statusRefused}`];
  const result = { ...judged.result, notes: toNotes([...judged.result.notes, ...notes]) };
  await database.transaction(async (tx) => {
    const isFinished = await finishRun(tx, claim, result, clock());
    if (isFinished && isDraft) await noteWaiting(tx, claim);
    if (!isFinished || judged.review === null) return;
    const { gone } = dividedByPresence(judged);
    await storeSeenFindings(tx, key, claim.runId, gone, clock());
    await storeLastReview(tx, key, judged.review);
  });
}

/** Adds the last verdicts of checks on this head; checks are evaluated again after the review. */
async function withLastChecks(
  { database }: PullRequestRunDeps,
  key: PlannedAttempt['key'],
  head: string,
  judged: JudgedPullRequest,
): Promise<JudgedPullRequest> {
  const { report } = judged.result;
  const last = report && (await findEvaluation(database.sql, key, head));
  if (!report || !last) return judged;
  return { ...judged, result: { ...judged.result, report: { ...report, checks: last.verdicts } } };
}

/** Whether there are findings to post that were neither posted nor released yet. */
async function hasUnreleased(
  { database }: PullRequestRunDeps,
  key: PlannedAttempt['key'],
  { findings, quiet = [] }: ReviewResult,
): Promise<boolean> {
  const known = await findKnownFindings(database.sql, key);
  const done = known.filter(({ posted, isReleased }) => posted !== null || isReleased);
  const ids = new Set(done.map(({ identity }) => identity));
  return withoutQuiet(findings, quiet).some(({ identity }) => !ids.has(identity));
}

/**
 * Reviews the change, or returns the result that an earlier attempt stored. Reviewing again would be wrong: the findings are
 * stored by then, and would look like those of an earlier review.
 */
async function judgeOnce(
  deps: PullRequestRunDeps,
  { claim, key, signal, deadline, keep, plan, served }: PlannedAttempt,
  commits: PullRequestCommits,
  change: JudgeRequest['change'],
  run: RunPart,
  { configuration, notes, settings }: LoadedConfiguration & { readonly settings: ReviewSettings },
): Promise<JudgedPullRequest> {
  const { database, clock } = deps;
  const done = claim.stages.judge as JudgedPullRequest | undefined;
  if (done !== undefined)
    return { ...done, result: { ...done.result, findings: done.result.findings.map(withGrounds) } };
  const pull = await findPullRequest(database.sql, key);
  const last = pull?.lastReview ?? null;
  const since = last === null ? null : await findSince(commits, change, last, run).catch(ifUnreadable);
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
  const gathered = await gatherReview(deps, { run: claim, settings, configuration, pullRequest });
  const people = knownPeople(database.sql, {
    organizationId,
    hostName: new URL(served.connection.url).hostname,
    except: [served.connection.account.id, ...(pull?.facts.author ? [pull.facts.author.id] : [])],
  });
  const judging = {
    ...gathered,
    run,
    people: {
      ...people,
      async nameOwners(owners: readonly string[]) {
        // The Inbox shows pull requests to the owners of the changed code.
        await noteOwners(database.sql, key, owners);
        return people.nameOwners(owners);
      },
    },
    ownersDialect: dialectOf(served.connection),
    runId: claim.runId,
    asked: claim,
    change,
    configuration,
    notes,
    signal,
    deadline,
    stage: keep,
    known,
    last,
    earlier:
      last === null || isAheadOf(known, last)
        ? undefined
        : await findEarlierResult(database.sql, { organizationId, runId: last.runId }),
    since,
  };
  const version = { organizationId, repositoryId: key.repositoryId, head: change.head! };
  const judged = await withKeptResults(database.sql, version, last?.head ?? null, clock(), (results) =>
    judgePullRequest({ ...judging, results }),
  );
  await database.transaction(async (tx) => {
    if (!(await storeStage(tx, claim, 'judge', judged))) throw new LeaseLost('the run has ended');
    await storeSeenFindings(tx, key, claim.runId, dividedByPresence(judged).present, clock());
  });
  return judged;
}

/**
 * The findings that are there and those that are gone. The latter stay open until the review is finished: if it is stopped
 * before, nobody was told, and the next review must follow them.
 */
function dividedByPresence({ seen, gone: goneIds }: JudgedPullRequest) {
  const ids = new Set(goneIds);
  const { gone = [], present = [] } = Object.groupBy(seen, ({ identity }) =>
    ids.has(identity) ? 'gone' : 'present',
  );
  return { gone, present };
}

/** Whether a review that was not finished has changed what is known, so that nothing of the last one can be taken over. */
function isAheadOf(known: readonly KnownFinding[], last: LastReview): boolean {
  return known.some(({ state, lastRunId }) => state === 'open' && lastRunId !== last.runId);
}

/**
 * If the difference cannot be read, it counts as unknown. The same fault in the change itself is reported when that is read.
 */
function ifUnreadable(error: unknown): null {
  if (error instanceof PartEnded) return null;
  throw error;
}
