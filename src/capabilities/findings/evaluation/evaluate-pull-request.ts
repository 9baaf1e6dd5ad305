import { partAt } from '../../../reviewer/process/part.ts';
import { PartEnded } from '../../../reviewer/process/part-failure.ts';
import { placeOf } from '../../../reviewer/repository/repository.ts';
import type { Host, HostPullRequest } from '../../connections/hosts/host.ts';
import type { HostThread, ThreadPlace } from '../../connections/hosts/review-host.ts';
import { type HostDeps, withHost } from '../../connections/open-host.ts';
import {
  findServingConnection,
  type ServedRepository,
} from '../../connections/reading/serving-connection.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import {
  CommitGone,
  type PullRequestCommits,
  type ReadingDeps,
  withCommits,
} from '../../reviews/mirror/pull-request-commits.ts';
import { findMergeBase } from '../../reviews/mirror/revisions.ts';
import {
  findLastLook,
  type LastLook,
  listPostedFindings,
  type PostedPlace,
} from '../../reviews/outcomes/list-posted-findings.ts';
import { readReviewSettings } from '../../reviews/settings/review-settings.ts';
import { answersOnLines } from '../comments/answers-on-lines.ts';
import { type ReportDeps, requestReport } from '../outcomes/report-outcomes.ts';
import { settleOutcome, signalsKey } from '../outcomes/settle-outcome.ts';
import type { Signal } from '../signals/signal.ts';
import { findSignals } from '../signals/signal-store.ts';
import type { AnchorText } from '../tracking/locate-anchor.ts';
import type { AnchorPlace } from './anchors-part.ts';
import {
  anchorPlaceOf,
  followOther,
  followOwn,
  presentPlace,
  proposedBy,
  rangeOf,
} from './begin-following.ts';
import { codeSignals } from './code-signals.ts';
import { detectorState } from './detector-state.ts';
import { findParticipants } from './find-participants.ts';
import { findFollowed, follow, type StoredFinding } from './follow-store.ts';
import type { Version } from './observe-code.ts';
import type { Observed } from './observe-part.ts';
import { type Participants, threadSignals } from './thread-signals.ts';

export interface EvaluationDeps extends HostDeps, ReportDeps, ReadingDeps {}

/** Everything that is looked at to judge the findings of a pull request. */
interface Subject {
  readonly key: PullRequestKey;
  readonly pull: HostPullRequest;
  readonly served: ServedRepository;
  readonly threads: readonly HostThread[];
  readonly look: LastLook;
}

/**
 * Looks at what became of the findings of a pull request, at the host and in the code, and judges them anew. It may run at any
 * time, twice, and on any node: it only adds what is not known yet.
 */
export async function evaluatePullRequest(
  deps: EvaluationDeps,
  key: PullRequestKey,
  signal: AbortSignal,
): Promise<void> {
  const { database } = deps;
  const served = await findServingConnection(database.sql, key.organizationId, key.repositoryId);
  if (served === undefined) return;
  const { otherReviewers } = await readReviewSettings(database.sql, key.organizationId);
  const posted = await listPostedFindings(database.sql, key);
  if (posted.length === 0 && otherReviewers.length === 0) return;
  await withHost(deps, served.connection.id, async (host) => {
    const { providerRepositoryId: id, fullName } = served.repository;
    const ref = { id, fullName };
    const pull = await host.readPullRequest(ref, key.number);
    if (pull === null) return;
    const threads = await host.readThreads(ref, key.number);
    const others = ofOthers(threads, otherReviewers);
    if (posted.length === 0 && others.length === 0) return;
    const look = await findLastLook(database.sql, key);
    const subject = { key, pull, served, threads, look };
    const seen = await lookAtCode(deps, host, subject, posted, others, signal);
    const participants = await findParticipants(database, subject);
    const talks = conversationsAbout(threads, [...seen.keys()]);
    for (const [finding, observed] of seen)
      await settleFinding(deps, subject, participants, finding, observed, talks.get(finding.threadId));
  });
  deps.queue.wake(deps.reportUnit.name);
}

/** Threads that other reviewers began. */
function ofOthers(threads: readonly HostThread[], names: readonly string[]): HostThread[] {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  return threads.filter(({ comments: [root] }) => {
    const name = root?.author?.username.toLowerCase() ?? '';
    return root?.isOwn === false && (wanted.has(name) || wanted.has(name.replace(/\[bot\]$/, '')));
  });
}

/** Follows all findings to the present version. Without its commits, nothing is known about the code. */
async function lookAtCode(
  deps: EvaluationDeps,
  host: Host,
  subject: Subject,
  posted: readonly PostedPlace[],
  others: readonly HostThread[],
  signal: AbortSignal,
): Promise<Map<StoredFinding, Observed>> {
  const { key, pull, served } = subject;
  const { providerRepositoryId: id, fullName } = served.repository;
  const source = await host.cloneSource({ id, fullName }, key.number);
  const wanted = { ...key, head: pull.head.sha, base: pull.base };
  try {
    return await withCommits(deps, source, wanted, signal, async (commits) => {
      await followNew(deps, commits, subject, posted, others);
      const followed = await findFollowed(deps.database.sql, key);
      const seen = new Map<StoredFinding, Observed>();
      for (const [revision, group] of Map.groupBy(followed, (finding) => finding.revision)) {
        await commits.bringCommit(revision);
        const { mergeBase } = group[0]!;
        const now = {
          revision: pull.head.sha,
          mergeBase: await presentMergeBase(commits, subject, mergeBase),
        };
        const observed = await observe(commits, subject, group, { revision, mergeBase }, now);
        for (const [index, finding] of group.entries())
          seen.set(finding, observed[index] ?? unknownCode(subject, finding));
      }
      return seen;
    });
  } catch (error) {
    if (!(error instanceof CommitGone)) throw error;
    const followed = await findFollowed(deps.database.sql, key);
    return new Map(followed.map((finding) => [finding, unknownCode(subject, finding)]));
  }
}

/** What is known of a finding if the code cannot be had: whether whoever raised it still does. */
function unknownCode({ pull, look }: Subject, finding: StoredFinding): Observed {
  const tracking = { state: 'unknown', path: null, range: null, hunks: [] } as const;
  const head = pull.head.sha;
  const detector = detectorState(finding, tracking, look, head);
  const nothing = { text: undefined, changes: [], added: [], chance: null, appliedBy: null };
  const seen = { ...nothing, head, at: new Date(0), isMerged: pull.state === 'merged' };
  const silent = { ...finding, suggestions: [], isOfPerson: false };
  return { signals: codeSignals(silent, { ...seen, tracking, detector }), chance: null };
}

const pathsPart = partAt<typeof import('./paths-part.ts')>('paths-part', import.meta.url);
const observePart = partAt<typeof import('./observe-part.ts')>('observe-part', import.meta.url);
const anchorsPart = partAt<typeof import('./anchors-part.ts')>('anchors-part', import.meta.url);

/** Follows findings of one version; what takes more than it may counts as unknown. */
async function observe(
  { repository: opened, run, bringChange }: PullRequestCommits,
  { pull, look, threads }: Subject,
  group: readonly StoredFinding[],
  posted: Version,
  now: Version,
): Promise<readonly Observed[]> {
  const repository = placeOf(opened);
  try {
    const own = group.map(({ path }) => path);
    const paths = await run(pathsPart, { repository, posted, now, own });
    const { mergeBase } = posted;
    if (paths !== null) {
      await bringChange(posted.revision, now.revision, paths);
      if (mergeBase !== null && now.mergeBase !== null) await bringChange(mergeBase, now.mergeBase, paths);
      await bringChange(mergeBase ?? posted.revision, posted.revision, paths);
    }
    const findings = group.map((finding) => ({
      ...finding,
      names: [...finding.names],
      ...proposedBy(finding, threads),
    }));
    const isMerged = pull.state === 'merged';
    return await run(observePart, { repository, findings, posted, now, isMerged, look });
  } catch (error) {
    if (error instanceof PartEnded) return [];
    throw error;
  }
}

/** Begins to follow what is posted and not followed yet. */
async function followNew(
  { database }: EvaluationDeps,
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
    const mergeBase = reviewed ?? (await branchingOff(commits, place.revision));
    if (mergeBase !== null) await commits.bringChange(mergeBase, place.revision, [place.path]);
    const range = rangeOf(place.startLine, place.endLine);
    fresh.push({
      place: anchorPlaceOf(place, range, place.revision, mergeBase),
      begin: (anchor) => followOwn(place, mergeBase, anchor),
    });
  }
  for (const thread of others) {
    if (known.has(`${provider}:${thread.comments[0]!.id}`)) continue;
    const place = await placeOfThread(commits, thread, pull.head.sha);
    const mergeBase =
      place.revision === pull.head.sha
        ? await presentMergeBase(commits, subject, null)
        : await branchingOff(commits, place.revision);
    if (mergeBase !== null) await commits.bringChange(mergeBase, place.revision, [thread.path]);
    const range = rangeOf(place.startLine, place.line);
    fresh.push({
      place: anchorPlaceOf(thread, range, place.revision, mergeBase),
      begin: (anchor) => followOther(thread, provider, place, mergeBase, anchor),
    });
  }
  const places = fresh.flatMap(({ place }) => place ?? []);
  const anchors = await readAnchors(commits, places);
  const found = fresh.flatMap(({ place, begin }) => begin(place === null ? null : anchors.shift()!) ?? []);
  await follow(database.sql, key, found);
}

/** Where a thread was begun if that version can still be had, else where it stands now. */
async function placeOfThread(
  commits: PullRequestCommits,
  thread: HostThread,
  head: string,
): Promise<ThreadPlace> {
  const { begun } = thread;
  const isHere = begun !== undefined && (await commits.bringCommit(begun.revision));
  return isHere ? begun : presentPlace(thread, head);
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

/** Where a commit parts from the base branch; null if it is part of it, as after a merge. */
async function branchingOff(
  { repository, baseTip }: PullRequestCommits,
  revision: string,
): Promise<string | null> {
  const found = await findMergeBase(repository, baseTip, revision);
  return found === undefined || found === revision ? null : found;
}

/** Where the present version branches off. Once it is merged the base branch contains it, and what was known before counts. */
async function presentMergeBase(
  commits: PullRequestCommits,
  { pull, look }: Subject,
  formerly: string | null,
): Promise<string | null> {
  const head = pull.head.sha;
  const present = await branchingOff(commits, head);
  if (present !== null) return present;
  if (look.head === head && look.mergeBase !== null) return look.mergeBase;
  const isStillBase =
    formerly !== null && (await findMergeBase(commits.repository, formerly, head)) === formerly;
  return isStillBase ? formerly : null;
}

/** The threads of the findings, each with what was said on its lines besides. */
function conversationsAbout(
  threads: readonly HostThread[],
  findings: readonly StoredFinding[],
): Map<string, HostThread> {
  const commented = findings.map(({ threadId, range }) => ({
    threadId,
    lineCount: range === null ? 1 : range.end - range.start + 1,
  }));
  const answers = answersOnLines(threads, commented);
  return new Map(
    threads.map((thread) => {
      const beside = (answers.get(thread.id) ?? []).flatMap(({ comments }) => comments);
      return [thread.id, { ...thread, comments: [...thread.comments, ...beside] }];
    }),
  );
}

/** Adds what was seen of one finding and judges it. */
async function settleFinding(
  deps: EvaluationDeps,
  { key, pull }: Subject,
  participants: Participants,
  finding: StoredFinding,
  observed: Observed,
  thread: HostThread | undefined,
): Promise<void> {
  const { database, clock } = deps;
  const { organizationId, repositoryId, number } = key;
  const outcomeKey = {
    organizationId,
    repositoryId,
    of: { pullRequest: number },
    findingId: finding.findingId,
  };
  const head = pull.head.sha;
  await database.transaction(async (tx) => {
    const now = clock();
    const known = await findSignals(tx, signalsKey(outcomeKey));
    const signals: Signal[] = observed.signals.map((signal) => ({ ...signal, at: now }));
    if (thread !== undefined) signals.push(...threadSignals(thread, known, participants, now));
    const evidence = { signals, head, chance: observed.chance, prUrl: pull.url };
    const { isChanged } = await settleOutcome(tx, outcomeKey, evidence, now);
    if (isChanged) await requestReport(tx, deps, key);
  });
}
