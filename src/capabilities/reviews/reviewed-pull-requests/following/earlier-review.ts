import type { Db } from '../../../../db/database.ts';
import type { Change, ChangedFile } from '../../../../reviewer/change/change.ts';
import type { ChangeSource } from '../../../../reviewer/change/change-source.ts';
import type { FileCoverage } from '../../../../reviewer/coverage.ts';
import { isShortfall } from '../../../../reviewer/coverage.ts';
import type { RunPart } from '../../../../reviewer/process/part.ts';
import { partAt } from '../../../../reviewer/process/part.ts';
import { placeOf } from '../../../../reviewer/repository/repository.ts';
import type { Report } from '../../../../reviewer/review-report.ts';
import type { PullRequestCommits } from '../../mirror/pull-request-commits.ts';
import type { RunKey, RunMode, RunTrigger } from '../../runs/run-record.ts';
import type { LastReview } from '../pull-request-facts.ts';
import { patchOf, patchOfChange } from './change-patch.ts';

/** The result of the last review that could be completed, possibly in part. */
export interface EarlierResult {
  readonly status: 'succeeded' | 'degraded';
  readonly reason: string | null;
  readonly coverage: readonly FileCoverage[];
  readonly report: Report | null;
}

export async function findEarlierResult(
  db: Db,
  { organizationId, runId }: RunKey,
): Promise<EarlierResult | undefined> {
  const [row] = await db<EarlierResult[]>`
    SELECT status, reason, coverage, report FROM review_runs
    WHERE organization_id = ${organizationId} AND id = ${runId} AND status IN ('succeeded', 'degraded')`;
  return row;
}

/** More paths than this do not fit on a command line. */
const maxPaths = 5_000;

const listPathsPart = partAt<typeof import('./list-paths-part.ts')>('list-paths-part', import.meta.url);

/**
 * The difference between the last reviewed head and the new one, in the files of both; null if the host no longer has the
 * former.
 */
export async function findSince(
  { repository, head, bringCommit, bringChange }: PullRequestCommits,
  change: ChangeSource,
  last: LastReview,
  run: RunPart,
): Promise<ChangeSource | null> {
  const between = { kind: 'commits', repository: placeOf(repository), head } as const;
  if (last.head === head) return { ...between, base: head };
  const others = last.files.map(({ path }) => path);
  const paths = await run(listPathsPart, { change, others, max: maxPaths });
  if (paths?.length === 0) return { ...between, base: head };
  if (paths === null || !(await bringCommit(last.head))) return null;
  await bringChange(last.head, head, paths);
  return { ...between, base: last.head, paths };
}

/**
 * The files of a change that need not be reviewed again. `isTakenOver`: none of them needs to be, so the earlier result is
 * reused.
 */
export function chooseUnchanged(
  change: Change,
  last: LastReview | null,
  earlier: EarlierResult | undefined,
  { mode, trigger }: { readonly mode: RunMode; readonly trigger: RunTrigger },
): { readonly unchanged: ReadonlySet<string>; readonly isTakenOver: boolean } {
  if (last === null || earlier === undefined || mode === 'full')
    return { unchanged: new Set(), isTakenOver: false };
  const isAsked = trigger === 'api' || trigger === 'comment';
  const isSame = last.patch === patchOfChange(change);
  // A person who asks again wants what was missed to be reviewed; a rebase alone is no reason to retry.
  if (isSame && (earlier.status === 'succeeded' || !isAsked))
    return { unchanged: new Set(change.files.map(({ path }) => path)), isTakenOver: true };
  const reviewed = new Map(last.files.map(({ path, patch }) => [path, patch]));
  const missed = new Set(earlier.coverage.filter(isShortfall).map(({ path }) => path));
  const isUnchanged = (file: ChangedFile) =>
    !missed.has(file.path) && reviewed.get(file.path) === patchOf(file);
  return {
    unchanged: new Set(change.files.filter(isUnchanged).map(({ path }) => path)),
    isTakenOver: false,
  };
}
