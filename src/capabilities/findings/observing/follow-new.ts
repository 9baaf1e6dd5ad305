import type { Database } from '../../../db/database.ts';
import { partAt } from '../../../reviewer/process/part.ts';
import { PartEnded } from '../../../reviewer/process/part-failure.ts';
import { placeOf } from '../../../reviewer/repository/repository.ts';
import type { HostPullRequest } from '../../connections/hosts/host.ts';
import type { HostThread, ThreadPlace } from '../../connections/hosts/review-host.ts';
import type { ServedRepository } from '../../connections/reading/serving-connection.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import type { PullRequestCommits } from '../../reviews/mirror/pull-request-commits.ts';
import { findMergeBase } from '../../reviews/mirror/revisions.ts';
import type { LastLook, PostedPlace } from '../../reviews/run-findings/list-posted-findings.ts';
import type { AnchorText } from '../tracking/locate-anchor.ts';
import type { AnchorPlace } from './anchors-part.ts';
import { anchorPlaceOf, followOther, followOwn, presentPlace, rangeOf } from './begin-following.ts';
import { findFollowed, follow, type StoredFinding } from './follow-store.ts';

const anchorsPart = partAt<typeof import('./anchors-part.ts')>('anchors-part', import.meta.url);

/** Everything that findings of a pull request are judged by. */
export interface Subject {
  readonly key: PullRequestKey;
  readonly pull: HostPullRequest;
  readonly served: ServedRepository;
  readonly threads: readonly HostThread[];
  readonly look: LastLook;
}

/** Starts following posted findings that are not followed yet. */
export async function followNew(
  { database }: { readonly database: Database },
  commits: PullRequestCommits,
  subject: Subject,
  posted: readonly PostedPlace[],
  others: readonly HostThread[],
): Promise<void> {
  const { key, pull, served, look } = subject;
  const known = new Set((await findFollowed(database.sql, key)).map(({ findingId }) => findingId));
  const { provider } = served.connection;
  const fresh: { place: AnchorPlace | null; begin(anchor: AnchorText | null): StoredFinding | undefined }[] =
    [];
  for (const place of posted) {
    if (known.has(place.findingId) || !(await commits.bringCommit(place.revision))) continue;
    const reviewed = look.head === place.revision ? look.mergeBase : null;
    const mergeBase = reviewed ?? (await branchingOff(commits, pull, place.revision));
    if (mergeBase !== null) await commits.bringChange(mergeBase, place.revision, [place.path]);
    const range = rangeOf(place.startLine, place.endLine);
    fresh.push({
      place: anchorPlaceOf(place, range, place.revision, mergeBase),
      begin: (anchor) => followOwn(place, mergeBase, anchor),
    });
  }
  for (const thread of others) {
    if (known.has(`${provider}:${thread.comments[0]!.id}`)) continue;
    const { isGone, ...place } = await placeOfThread(commits, thread, pull.head.sha);
    const mergeBase =
      place.revision === pull.head.sha
        ? await presentMergeBase(commits, subject, null)
        : await branchingOff(commits, pull, place.revision);
    if (mergeBase !== null) await commits.bringChange(mergeBase, place.revision, [thread.path]);
    const range = rangeOf(place.startLine, place.line);
    fresh.push({
      place: isGone ? null : anchorPlaceOf(thread, range, place.revision, mergeBase),
      begin: (anchor) => followOther(thread, provider, place, mergeBase, anchor, isGone),
    });
  }
  const places = fresh.flatMap(({ place }) => place ?? []);
  const anchors = await readAnchors(commits, places);
  const found = fresh.flatMap(({ place, begin }) => begin(place === null ? null : anchors.shift()!) ?? []);
  await follow(database.sql, key, found);
}

/**
 * The place where a thread was started, if the host still has that version; otherwise its present place. If the host reports
 * neither, the lines belong to a version that is gone, and nothing can be said about them.
 */
async function placeOfThread(
  commits: PullRequestCommits,
  thread: HostThread,
  head: string,
): Promise<ThreadPlace & { readonly isGone: boolean }> {
  const { begun, isPlacedInHead } = thread;
  if (begun !== undefined && (await commits.bringCommit(begun.revision))) return { ...begun, isGone: false };
  return begun === undefined || isPlacedInHead
    ? { ...presentPlace(thread, head), isGone: false }
    : { ...begun, isGone: true };
}

async function readAnchors(
  { repository, run }: PullRequestCommits,
  places: readonly AnchorPlace[],
): Promise<(AnchorText | null)[]> {
  if (places.length === 0) return [];
  return run(anchorsPart, { repository: placeOf(repository), places }).catch((error: unknown) => {
    if (error instanceof PartEnded) return places.map(() => null);
    throw error;
  });
}

const commitName = /^[0-9a-f]{40,64}$/;

/**
 * The merge base of a commit and the base branch. After a merge the base branch contains the commit; then the base that the
 * host reports is used, so that the result stays the same. Null if that one contains the commit too, or is unknown.
 */
async function branchingOff(
  { repository, baseTip, bringCommit }: PullRequestCommits,
  { base }: HostPullRequest,
  revision: string,
): Promise<string | null> {
  const found = await findMergeBase(repository, baseTip, revision);
  if (found !== revision) return found ?? null;
  if (!commitName.test(base.sha) || !(await bringCommit(base.sha))) return null;
  const before = await findMergeBase(repository, base.sha, revision);
  return before === undefined || before === revision ? null : before;
}

/**
 * The merge base of the present version. After a merge the base branch contains the version; then the last known one is
 * used.
 */
export async function presentMergeBase(
  commits: PullRequestCommits,
  { pull, look }: Subject,
  formerly: string | null,
): Promise<string | null> {
  const head = pull.head.sha;
  const present = await branchingOff(commits, pull, head);
  if (present !== null) return present;
  if (look.head === head && look.mergeBase !== null) return look.mergeBase;
  const isStillBase =
    formerly !== null && (await findMergeBase(commits.repository, formerly, head)) === formerly;
  return isStillBase ? formerly : null;
}
