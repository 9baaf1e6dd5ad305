import { partAt } from '../../../reviewer/process/part.ts';
import { PartEnded } from '../../../reviewer/process/part-failure.ts';
import { placeOf } from '../../../reviewer/repository/repository.ts';
import type { Host } from '../../connections/hosts/host.ts';
import type { HostThread } from '../../connections/hosts/review-host.ts';
import { type HostDeps, withHost } from '../../connections/open-host.ts';
import { readAtHost } from '../../connections/own-accounts.ts';
import { findServingConnection } from '../../connections/reading/serving-connection.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import {
  CommitGone,
  type PullRequestCommits,
  type ReadingDeps,
  withCommits,
} from '../../reviews/mirror/pull-request-commits.ts';
import {
  findLastLook,
  listPostedFindings,
  type PostedPlace,
} from '../../reviews/run-findings/list-posted-findings.ts';
import { readReviewSettings } from '../../reviews/settings/review-settings.ts';
import { answersOnLines } from '../comments/answers-on-lines.ts';
import { type ReportDeps, requestReport } from '../outcomes/report-outcomes.ts';
import { settleOutcome, signalsKey } from '../outcomes/settle-outcome.ts';
import type { Signal } from '../signals/signal.ts';
import { findSignals } from '../signals/signal-store.ts';
import { proposedBy } from './begin-following.ts';
import { codeSignals } from './code-signals.ts';
import { detectorState } from './detector-state.ts';
import { findParticipants } from './find-participants.ts';
import { followNew, presentMergeBase, type Subject } from './follow-new.ts';
import { findFollowed, type StoredFinding } from './follow-store.ts';
import type { Version } from './observe-code.ts';
import type { Observed } from './observe-part.ts';
import type { RememberedLooks } from './remembered-looks.ts';
import { type Participants, threadSignals } from './thread-signals.ts';

export interface EvaluationDeps extends HostDeps, ReportDeps, ReadingDeps {
  readonly looks: RememberedLooks;
}

/**
 * Observes the findings of a pull request, at the host and in the code, and updates their verdicts. Idempotent: it only adds
 * new signals, so it can run at any time, repeatedly, and on any node.
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
    const pull = await readAtHost(database.sql, host, served.connection, ref, key.number);
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

/** The threads that other reviewers started. */
function ofOthers(threads: readonly HostThread[], names: readonly string[]): HostThread[] {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  return threads.filter(({ comments: [root] }) => {
    const name = root?.author?.username.toLowerCase() ?? '';
    return root?.isOwn === false && (wanted.has(name) || wanted.has(name.replace(/\[bot\]$/, '')));
  });
}

/** Tracks all findings to the present version. If its commits are gone, the state of the code is unknown. */
async function lookAtCode(
  deps: EvaluationDeps,
  host: Host,
  subject: Subject,
  posted: readonly PostedPlace[],
  others: readonly HostThread[],
  signal: AbortSignal,
): Promise<Map<StoredFinding, Observed>> {
  const { key, pull, served } = subject;
  const before = await findFollowed(deps.database.sql, key);
  const known = deps.looks.find(key, groundsOf(subject, posted, others, before));
  if (known !== undefined) return new Map(before.map((finding) => [finding, known.get(finding.findingId)!]));
  const { providerRepositoryId: id, fullName } = served.repository;
  const source = await host.cloneSource({ id, fullName }, key.number);
  const wanted = { ...key, head: pull.head.sha, base: pull.base };
  try {
    return await withCommits(deps, source, wanted, signal, async (commits) => {
      await followNew(deps, commits, subject, posted, others);
      const followed = await findFollowed(deps.database.sql, key);
      const { seen, isWhole } = await followAll(commits, subject, followed);
      if (isWhole)
        deps.looks.keep(
          key,
          groundsOf(subject, posted, others, followed),
          new Map([...seen].map(([{ findingId }, observed]) => [findingId, observed])),
        );
      return new Map(
        followed.map((finding) => [finding, seen.get(finding) ?? unknownCode(subject, finding)]),
      );
    });
  } catch (error) {
    if (!(error instanceof CommitGone)) throw error;
    const followed = await findFollowed(deps.database.sql, key);
    return new Map(followed.map((finding) => [finding, unknownCode(subject, finding)]));
  }
}

/** The cache key of the observations: everything that they depend on. If it is unchanged, so are they. */
function groundsOf(
  { pull, look, threads }: Subject,
  posted: readonly PostedPlace[],
  others: readonly HostThread[],
  followed: readonly StoredFinding[],
): unknown {
  const { head, base, state } = pull;
  return [
    { head, base, state, look, posted },
    others.map(({ comments: [root], id, path, side, line, startLine, begun }) => [
      { id, path, side, line, startLine, begun },
      root!.id,
    ]),
    followed.map((finding) => ({
      ...finding,
      names: [...finding.names],
      ...proposedBy(finding, threads),
    })),
  ];
}

/** Observes findings. `isWhole`: nothing is missing, so repeating it for the same commits would give the same result. */
async function followAll(
  commits: PullRequestCommits,
  subject: Subject,
  followed: readonly StoredFinding[],
): Promise<{ readonly seen: ReadonlyMap<StoredFinding, Observed>; readonly isWhole: boolean }> {
  const seen = new Map<StoredFinding, Observed>();
  let isWhole = true;
  for (const [revision, group] of Map.groupBy(followed, (finding) => finding.revision)) {
    if (!(await commits.bringCommit(revision))) isWhole = false;
    const { mergeBase } = group[0]!;
    const now = {
      revision: subject.pull.head.sha,
      mergeBase: await presentMergeBase(commits, subject, mergeBase),
    };
    const observed = await observe(commits, subject, group, { revision, mergeBase }, now);
    for (const [index, finding] of group.entries())
      if (observed[index] === undefined) isWhole = false;
      else seen.set(finding, observed[index]);
  }
  return { seen, isWhole };
}

/** The observation of a finding whose code is not available: only whether its rule or model still raises it. */
function unknownCode({ pull, look }: Subject, finding: StoredFinding): Observed {
  const tracking = { state: 'unknown', path: null, range: null, hunks: [] } as const;
  const head = pull.head.sha;
  const detector = detectorState(finding, tracking, look, head);
  const nothing = { text: undefined, changes: [], added: [], chance: null, appliedBy: null };
  const seen = { ...nothing, head, at: new Date(0), isMerged: pull.state === 'merged' };
  const silent = { ...finding, suggestions: [], isOfPerson: false, onlyAsks: false };
  return { signals: codeSignals(silent, { ...seen, tracking, detector }), chance: null };
}

const pathsPart = partAt<typeof import('./paths-part.ts')>('paths-part', import.meta.url);
const observePart = partAt<typeof import('./observe-part.ts')>('observe-part', import.meta.url);

/** Observes findings of one version; none if that exceeds a limit. */
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
    return await run(observePart, { repository, findings, posted, now, paths, isMerged, look });
  } catch (error) {
    if (error instanceof PartEnded) return [];
    throw error;
  }
}

/** The threads of the findings, each with the comments of other threads that answer it. */
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

/** Stores the signals about one finding and updates its verdict. */
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
