import type { Database } from '../../../../db/database.ts';
import type { ChangeSource } from '../../../../reviewer/change/change-source.ts';
import type { LoadedConfiguration } from '../../../../reviewer/configuration/load-configuration.ts';
import type { Finding } from '../../../../reviewer/finding.ts';
import { withoutQuiet } from '../../../../reviewer/judge/attention.ts';
import type { RunPart } from '../../../../reviewer/process/part.ts';
import { partAt } from '../../../../reviewer/process/part.ts';
import { PartEnded } from '../../../../reviewer/process/part-failure.ts';
import type { ReviewResult } from '../../../../reviewer/review/review-result.ts';
import type { Host } from '../../../connections/hosts/host.ts';
import type { PostedFinding } from '../../publishing/own-comments.ts';
import type { PlacedComment } from '../../publishing/place-comments-part.ts';
import { type Publication, type PublishRequest, publishRun } from '../../publishing/publish-run.ts';
import type { RunKey } from '../../runs/run-record.ts';
import type { JudgedPullRequest, JudgeRequest } from '../following/judge-pull-request.ts';
import { findKnownFindings } from '../following/known-finding-store.ts';
import { findPullRequest, findSummary } from '../pull-request-store.ts';
import { refOf } from './plan-run.ts';
import type { PlannedAttempt } from './pull-request-attempt.ts';
import type { RunUrl } from './show-state.ts';

/** Publishes the result of a run on its pull request. */
export async function publishJudged(
  { database, runUrl, run }: { readonly database: Database; readonly runUrl: RunUrl; readonly run: RunPart },
  host: Host,
  { claim, key, served }: Pick<PlannedAttempt, 'key' | 'served'> & { readonly claim: RunKey },
  change: JudgeRequest['change'],
  { configuration: { reviews } }: LoadedConfiguration,
  {
    result,
    gone,
  }: Partial<Pick<JudgedPullRequest, 'gone'>> & {
    readonly result: PublishRequest['result'] & Pick<ReviewResult, 'findings' | 'quiet'>;
  },
): Promise<Publication> {
  const known = await findKnownFindings(database.sql, key);
  // Also those of earlier runs, which may have waited for a release and so have closed no thread.
  const closed = known.filter(({ state }) => state === 'resolved' || state === 'outdated');
  const posted = known.flatMap((finding) =>
    finding.posted === null ? [] : [{ findingId: finding.identity, ...finding.posted }],
  );
  return publishRun(host, {
    run: { id: claim.runId, url: runUrl(claim) },
    provider: served.connection.provider,
    repository: refOf(served),
    repositoryUrl: `${served.connection.url}/${served.repository.fullName}`,
    number: key.number,
    baseSha: change.base,
    headSha: change.head!,
    placeFindings: (findings) => placeFindings(run, change, findings),
    result,
    ...chooseComments(withoutQuiet(result.findings, result.quiet ?? []), posted, reviews.max_comments),
    gone: [...new Set([...(gone ?? []), ...closed.map(({ identity }) => identity)])],
    failOn: reviews.fail_on,
    posted,
    summaryId: await findSummary(database.sql, key),
    isPaused: (await findPullRequest(database.sql, key))?.isPaused === true,
  });
}

const placePart = partAt<typeof import('../../publishing/place-comments-part.ts')>(
  '../../publishing/place-comments-part',
  import.meta.url,
);

/** Places findings in the diff. If that exceeds a limit, none is placed, and they appear in the summary only. */
async function placeFindings(
  run: RunPart,
  change: ChangeSource,
  findings: readonly Finding[],
): Promise<readonly (PlacedComment | null)[]> {
  if (findings.length === 0) return [];
  return run(placePart, { change, findings }, { deadline: undefined }).catch((error: unknown) => {
    if (error instanceof PartEnded) return findings.map(() => null);
    throw error;
  });
}

/** Posted findings keep their comments; of the others, the worst are posted up to the limit on open comments. */
function chooseComments(open: readonly Finding[], posted: readonly PostedFinding[], maxComments: number) {
  const known = new Set(posted.map(({ findingId }) => findingId));
  const fresh = open.filter(({ identity }) => !known.has(identity));
  const room = Math.max(0, maxComments - (open.length - fresh.length));
  const overflow = fresh.slice(room);
  const left = new Set(overflow);
  return { findings: open.filter((finding) => !left.has(finding)), overflow };
}
