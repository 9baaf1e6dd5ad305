import type { Finding } from '../../../../reviewer/finding.ts';
import { partAt } from '../../../../reviewer/process/part.ts';
import { PartEnded } from '../../../../reviewer/process/part-failure.ts';
import { placeOf } from '../../../../reviewer/repository/repository.ts';
import { type Host, type HostPullRequest, HostRefused } from '../../../connections/hosts/host.ts';
import { readAtHost } from '../../../connections/own-accounts.ts';
import type { ServedRepository } from '../../../connections/reading/serving-connection.ts';
import { CommitGone, type PullRequestCommits } from '../../mirror/pull-request-commits.ts';
import type { Fix } from '../../runs/fix-record.ts';
import { findCommitOfRun, noteCommit } from '../../runs/fix-store.ts';
import { findRun } from '../../runs/store.ts';
import { type CommitDeps, withPullRequest } from '../running/base-configuration.ts';
import { refOf } from '../running/plan-run.ts';
import { messageOf } from './commit-message.ts';
import { fixRefusals } from './fix-refusals.ts';
import { findFixable } from './fixable-findings.ts';

const fixPart = partAt<typeof import('../../../../reviewer/judge/fix-part.ts')>(
  '../../../../reviewer/judge/fix-part',
  import.meta.url,
);

/** The pull request's host and connection, and the signal that ends the attempt. */
export interface FixPlace {
  readonly host: Host;
  readonly served: ServedRepository;
  readonly signal: AbortSignal;
}

/** How a request ends: with its commit on the branch, or with a sentence that says why not. */
export type FixEnd =
  | { readonly state: 'done'; readonly reason: null }
  | { readonly state: 'refused'; readonly reason: string };

const done: FixEnd = { state: 'done', reason: null };
const refused = (reason: string): FixEnd => ({ state: 'refused', reason });

/**
 * Commits the safe suggestions of a run as one commit on top of the reviewed head, or nothing. Can be interrupted anywhere
 * and retried: the same request always makes the same commit, which is then recognized on the branch.
 */
export async function commitSuggestions(deps: CommitDeps, fix: Fix, place: FixPlace): Promise<FixEnd> {
  const { host, served, signal } = place;
  const pull = await readAtHost(deps.database.sql, host, served.connection, refOf(served), fix.number);
  if (pull === null) return refused(fixRefusals.ended('gone'));
  const revisions = { number: fix.number, head: pull.head.sha, base: pull.base };
  const inCommits = (work: (commits: PullRequestCommits) => Promise<FixEnd>) =>
    withPullRequest(deps, host, served, revisions, signal, work).catch((error: unknown) => {
      if (error instanceof CommitGone) return refused(fixRefusals.moved);
      if (error instanceof PartEnded) return refused(fixRefusals.tooMuch);
      throw error;
    });
  if (pull.head.sha !== fix.head) {
    const made = await findCommitOfRun(deps.database.sql, fix);
    if (made !== undefined)
      return inCommits(async ({ isInHead }) => {
        if (!(await isInHead(made.commit))) return refused(fixRefusals.moved);
        await noteCommit(deps.database.sql, fix, made);
        return done;
      });
  }
  const reason = await reasonToRefuse(fix, pull, place);
  if (reason !== null) return refused(reason);
  const findings = await findFixable(deps.database.sql, fix);
  if (findings.length === 0) return refused(fixRefusals.nothing);
  return inCommits((commits) => commitAll(deps, fix, place, pull.head.ref, commits, findings));
}

async function reasonToRefuse(
  { head, actor }: Fix,
  pull: HostPullRequest,
  { host, served }: FixPlace,
): Promise<string | null> {
  if (pull.state !== 'open') return fixRefusals.ended(pull.state);
  if (pull.head.isFork) return fixRefusals.fork;
  if (pull.head.sha !== head) return fixRefusals.moved;
  const person = { id: actor.id, username: actor.name };
  const mayPush = await whatIsTold(host.mayPush(refOf(served), person));
  if (mayPush === null) return fixRefusals.unknownRights;
  if (!mayPush) return fixRefusals.mayNotPush;
  const isProtected = await whatIsTold(host.isProtected(refOf(served), pull.head.ref));
  if (isProtected === null) return fixRefusals.unknownProtection;
  return isProtected ? fixRefusals.protected : null;
}

/** The host's answer; null if it does not let the account know. */
async function whatIsTold(answer: Promise<boolean | null>): Promise<boolean | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof HostRefused && error.status !== 401) return null;
    throw error;
  }
}

async function commitAll(
  { database: { sql } }: CommitDeps,
  fix: Fix,
  { host, served: { connection } }: FixPlace,
  branch: string,
  { repository, run, bringChange, writeCommit, push, mergeBase }: PullRequestCommits,
  findings: readonly Finding[],
): Promise<FixEnd> {
  if (mergeBase === undefined) return refused(fixRefusals.moved);
  const { account } = connection;
  await bringChange(mergeBase, fix.head);
  const change = {
    kind: 'commits',
    repository: placeOf(repository),
    base: mergeBase,
    head: fix.head,
  } as const;
  const texts = await run(fixPart, { change, findings });
  const fixedIn = (paths: ReadonlySet<string>) => {
    const identities = new Set(texts.filter(({ path }) => paths.has(path)).flatMap(({ fixed }) => fixed));
    return findings.filter(({ identity }) => identities.has(identity));
  };
  const author = { name: account.username, email: host.commitAddress(account) };
  // The time of the run rather than of the request, so that all requests about a run make the same commit.
  const at = (await findRun(sql, fix))!.createdAt;
  const written = await writeCommit(texts, (paths) => ({ author, at, message: messageOf(fixedIn(paths)) }));
  if (written === undefined) return refused(fixRefusals.nothing);
  const findingIds = fixedIn(written.paths).map(({ identity }) => identity);
  await noteCommit(sql, fix, {
    commit: written.commit,
    findingIds,
    leftOver: findings.length - findingIds.length,
  });
  const result = await push(written.commit, branch);
  return result === 'pushed' ? done : refused(fixRefusals[result]);
}
