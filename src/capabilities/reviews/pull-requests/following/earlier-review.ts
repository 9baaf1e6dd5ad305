import type { Db } from '../../../../db/database.ts';
import type { Change, ChangedFile } from '../../../../reviewer/change/change.ts';
import { readChange } from '../../../../reviewer/change/read-change.ts';
import type { FileCoverage } from '../../../../reviewer/review/coverage.ts';
import { isShortfall } from '../../../../reviewer/review/coverage.ts';
import type { PullRequestCommits } from '../../mirror/pull-request-commits.ts';
import type { RunKey, RunMode, RunTrigger } from '../../runs/run-record.ts';
import type { LastReview } from '../pull-request-record.ts';
import { patchOf, patchOfChange } from './change-patch.ts';

/** What the run whose result stands came to. */
export interface EarlierResult {
  readonly status: 'succeeded' | 'degraded';
  readonly reason: string | null;
  readonly coverage: readonly FileCoverage[];
}

export async function findEarlierResult(
  db: Db,
  { organizationId, runId }: RunKey,
): Promise<EarlierResult | undefined> {
  const [row] = await db<EarlierResult[]>`
    SELECT status, reason, coverage FROM review_runs
    WHERE organization_id = ${organizationId} AND id = ${runId} AND status IN ('succeeded', 'degraded')`;
  return row;
}

/** More paths than a command line takes. */
const maxPaths = 5_000;

/** What differs between the head that was last reviewed and the new one, in the files of both; null if the former is gone. */
export async function readSince(
  { repository, head, bringCommit, bringChange }: PullRequestCommits,
  change: Change,
  last: LastReview,
): Promise<Change | null> {
  const paths = [...new Set([...last.files, ...change.files].map(({ path }) => path))];
  if (last.head === head || paths.length === 0)
    return { baseRevision: last.head, headRevision: head, files: [], close: async () => {} };
  if (paths.length > maxPaths || !(await bringCommit(last.head))) return null;
  await bringChange(last.head, head, paths);
  return readChange(repository, { base: last.head, head, paths });
}

/** Which files of a change need not be looked at again, and whether none of them does. */
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
  // Who asks again wants what was missed to be looked at; a mere rebase is no reason to try.
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

/** The hunks of a file that a model has not seen yet. */
export function focusOn(since: Change | null): (file: ChangedFile) => ChangedFile {
  const byPath = new Map((since?.files ?? []).map((file) => [file.path, file]));
  return (file) => {
    const later = byPath.get(file.path);
    if (later === undefined || later.missing !== null) return file;
    const isTouched = (start: number, count: number) =>
      later.hunks.some(
        ({ lines, newStart }) =>
          lines.some(
            ({ kind, newLine }) => kind === 'added' && newLine! >= start && newLine! < start + count,
          ) ||
          (newStart >= start && newStart < start + count && lines.some(({ kind }) => kind === 'removed')),
      );
    return { ...file, hunks: file.hunks.filter(({ newStart, newCount }) => isTouched(newStart, newCount)) };
  };
}
