import type { Database } from '../../../db/database.ts';
import { runGit } from '../../../reviewer/repository/run-git.ts';
import type { Host, HostPullRequest } from '../../connections/hosts/host.ts';
import type { HostThread } from '../../connections/hosts/review-host.ts';
import { type HostDeps, withHost } from '../../connections/open-host.ts';
import {
  findServingConnection,
  type ServedRepository,
} from '../../connections/reading/serving-connection.ts';
import { findMembership } from '../../people/seats/has-seat.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import type { Mirrors } from '../../reviews/mirror/mirrors.ts';
import {
  CommitGone,
  type PullRequestCommits,
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
import { followOther, followOwn } from './begin-following.ts';
import { codeSignals } from './code-signals.ts';
import { detectorState } from './detector-state.ts';
import { findFollowed, follow, type StoredFinding } from './follow-store.ts';
import { type CodeObservation, observeCode } from './observe-code.ts';
import { type Participants, threadSignals } from './thread-signals.ts';

export interface EvaluationDeps extends HostDeps, ReportDeps {
  readonly mirrors: Mirrors;
  readonly searchPath: string | undefined;
}

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
    for (const [finding, observation] of seen)
      await settleFinding(deps, subject, participants, finding, observation, talks.get(finding.threadId));
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
): Promise<Map<StoredFinding, CodeObservation & { appliedBy: string | null }>> {
  const { key, pull, served } = subject;
  const { providerRepositoryId: id, fullName } = served.repository;
  const source = await host.cloneSource({ id, fullName }, key.number);
  const wanted = { ...key, head: pull.head.sha, base: pull.base };
  try {
    return await withCommits(deps, source, wanted, signal, async (commits) => {
      await followNew(deps, commits, subject, posted, others);
      const followed = await findFollowed(deps.database.sql, key);
      const seen = new Map<StoredFinding, CodeObservation & { appliedBy: string | null }>();
      for (const [revision, group] of Map.groupBy(followed, (finding) => finding.revision)) {
        await commits.bringCommit(revision);
        const { mergeBase } = group[0]!;
        const now = {
          revision: pull.head.sha,
          mergeBase: await presentMergeBase(commits, subject, mergeBase),
        };
        const observed = await observeCode(
          commits.repository,
          group,
          { revision, mergeBase },
          now,
          commits.bringChange,
        );
        for (const finding of group) {
          const observation = observed.get(finding)!;
          seen.set(finding, { ...observation, appliedBy: await appliedBy(commits, finding, now.mergeBase) });
        }
      }
      return seen;
    });
  } catch (error) {
    if (!(error instanceof CommitGone)) throw error;
    const followed = await findFollowed(deps.database.sql, key);
    const tracking = { state: 'unknown', path: null, range: null, hunks: [] } as const;
    return new Map(
      followed.map((finding) => [finding, { tracking, text: undefined, chance: null, appliedBy: null }]),
    );
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
  const fresh: StoredFinding[] = [];
  for (const place of posted) {
    if (known.has(place.findingId) || !(await commits.bringCommit(place.revision))) continue;
    const reviewed = look.head === place.revision ? look.mergeBase : null;
    const mergeBase = reviewed ?? (await branchingOff(commits, place.revision));
    if (mergeBase !== null) await commits.bringChange(mergeBase, place.revision, [place.path]);
    fresh.push(await followOwn(commits.repository, place, mergeBase));
  }
  for (const thread of others) {
    if (known.has(`${provider}:${thread.comments[0]!.id}`)) continue;
    const mergeBase = await presentMergeBase(commits, subject, null);
    if (mergeBase !== null) await commits.bringChange(mergeBase, pull.head.sha, [thread.path]);
    const found = await followOther(commits.repository, thread, provider, pull, mergeBase);
    if (found !== undefined) fresh.push(found);
  }
  await follow(database.sql, key, fresh);
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

/** The commit by which a host applied a suggestion, by how hosts word it. */
async function appliedBy(
  { repository, head }: PullRequestCommits,
  { suggestion, path }: StoredFinding,
  mergeBase: string | null,
): Promise<string | null> {
  if (suggestion === null || mergeBase === null) return null;
  const found = await runGit(
    [
      '--literal-pathspecs',
      'log',
      '--max-count=1',
      '--format=%H',
      '--extended-regexp',
      '--grep=^Appl(y|ied) ([0-9]+ )?suggestion',
      `${mergeBase}..${head}`,
      '--',
      path,
    ],
    repository.call,
  );
  return found.toString().trim() || null;
}

async function findParticipants(
  database: Database,
  { key, pull, threads, served }: Subject,
): Promise<Participants> {
  const authors = threads.flatMap(({ comments }) => comments.flatMap(({ author }) => author ?? []));
  const bots = new Set(authors.filter(({ isBot }) => isBot).map(({ id }) => id));
  const members = new Set<string>();
  for (const id of new Set(authors.map((author) => author.id))) {
    const membership = await findMembership(database.sql, key.organizationId, id);
    if (membership?.isBot) bots.add(id);
    if (membership !== undefined) members.add(id);
  }
  const { account } = served.connection;
  return {
    mayAnswer: (id) => members.has(id) || id === pull.author?.id,
    isBot: (id, username) =>
      id === account.id || username === account.username || bots.has(id) || username.endsWith('[bot]'),
  };
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
  { key, pull, look }: Subject,
  participants: Participants,
  finding: StoredFinding,
  observation: CodeObservation & { appliedBy: string | null },
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
    const detector = detectorState(finding, observation.tracking, look, head);
    const seen = { ...observation, head, at: now, isMerged: pull.state === 'merged', detector };
    const signals: Signal[] = codeSignals(finding, seen);
    if (thread !== undefined) signals.push(...threadSignals(thread, known, participants, now));
    const evidence = { signals, head, chance: observation.chance, prUrl: pull.url };
    const { isChanged } = await settleOutcome(tx, outcomeKey, evidence, now);
    if (isChanged) await requestReport(tx, deps, key);
  });
}
