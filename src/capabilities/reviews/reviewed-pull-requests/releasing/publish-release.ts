import { worstFirst } from '../../../../reviewer/judge/judge.ts';
import { partsOf } from '../../../../reviewer/process/part.ts';
import { riskAsShown } from '../../../../reviewer/report/risk.ts';
import { placeOf } from '../../../../reviewer/repository/repository.ts';
import type { Attempt } from '../../../../work/unit-of-work.ts';
import { withHost } from '../../../connections/open-host.ts';
import { readAtHost } from '../../../connections/own-accounts.ts';
import { findServingConnection } from '../../../connections/reading/serving-connection.ts';
import type { Run, RunKey } from '../../runs/run-record.ts';
import { findRun } from '../../runs/store.ts';
import { readReviewSettings } from '../../settings/review-settings.ts';
import { asFinding } from '../following/known-finding.ts';
import { findKnownFindings, storePosted } from '../following/known-finding-store.ts';
import { storeSummary } from '../pull-request-store.ts';
import { findRunWithPull } from '../run-with-pull.ts';
import { readBaseConfiguration, withPullRequest } from '../running/base-configuration.ts';
import { guardedHost } from '../running/guarded-host.ts';
import { refOf } from '../running/plan-run.ts';
import { publishJudged } from '../running/publish-judged.ts';
import type { PullRequestRunDeps } from '../running/pull-request-attempt.ts';
import { reasonToRefuse } from '../running/release-store.ts';
import { confirmReviewing } from '../running/review-pull-request.ts';

/**
 * Posts the released findings of a run. If the pull request has changed since (new commits, closed, a later review), nothing
 * is posted; the next review then posts what was released.
 */
export async function publishRelease(
  deps: PullRequestRunDeps,
  key: RunKey,
  { signal }: Pick<Attempt, 'signal'>,
): Promise<void> {
  const { database, clock } = deps;
  const { sql } = database;
  const draft = await findRunWithPull(sql, key);
  if (draft === undefined || reasonToRefuse(draft) !== null) return;
  const { organizationId, repositoryId, base, head } = draft;
  const pullRequest = { organizationId, repositoryId, number: draft.number! };
  const served = await findServingConnection(sql, organizationId, repositoryId);
  if (served === undefined || served.connection.review === 'off') return;
  await withHost(deps, served.connection.id, async (unguarded) => {
    const host = guardedHost(unguarded, async () => {
      signal.throwIfAborted();
      await confirmReviewing(deps, pullRequest, served);
    });
    const pull = await readAtHost(sql, host, served.connection, refOf(served), pullRequest.number);
    if (pull?.state !== 'open' || pull.head.sha !== head) return;
    const revisions = { number: pullRequest.number, head, base: pull.base };
    await withPullRequest(deps, host, served, revisions, signal, async (commits) => {
      const loaded = await readBaseConfiguration(commits, await readReviewSettings(sql, organizationId));
      await commits.bringChange(base, head);
      const change = { kind: 'commits', repository: placeOf(commits.repository), base, head } as const;
      const run = partsOf(deps.processes, { group: organizationId, signal, deadline: signal });
      const judged = await releasedOf(deps, key, pullRequest);
      const attempt = { claim: key, key: pullRequest, served };
      const done = await publishJudged({ ...deps, run }, host, attempt, change, loaded, judged);
      await database.transaction(async (tx) => {
        await storePosted(tx, pullRequest, done.posted, clock());
        await storeSummary(tx, pullRequest, done.summary.id);
      });
    });
  });
  await deps.requestReading(served, pullRequest.number);
}

/** The result of the run with only those findings that were released or posted before. */
async function releasedOf(
  { database: { sql } }: PullRequestRunDeps,
  key: RunKey,
  pullRequest: Parameters<typeof findKnownFindings>[1],
) {
  const run = (await findRun(sql, key))!;
  const known = await findKnownFindings(sql, pullRequest);
  const open = known.filter(
    ({ state, posted, isReleased }) => state === 'open' && (posted !== null || isReleased),
  );
  const { reason, coverage, notes, report } = run;
  const findings = open.map(asFinding).sort(worstFirst);
  return {
    result: {
      status: run.status === 'degraded' ? ('degraded' as const) : ('succeeded' as const),
      reason,
      coverage,
      notes,
      // The report must not reveal findings that are held back.
      report: report && { ...report, risk: riskAsShown(report.risk, findings) },
      usage: usageOf(run),
      findings,
    },
  };
}

function usageOf({ model, inputTokens, outputTokens, costUsd, calls, toolCalls }: Run) {
  return model === null ? null : { model, inputTokens, outputTokens, costUsd, calls, toolCalls };
}
