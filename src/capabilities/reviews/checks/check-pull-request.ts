import { hash } from 'node:crypto';
import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import { withShownPaths } from '../../../redaction/shown-path.ts';
import {
  type CheckRequest,
  checkChange,
  type KnownFacts,
  unreadChange,
} from '../../../reviewer/checks/check-change.ts';
import { evaluateAll, questionsOf } from '../../../reviewer/checks/evaluate-checks.ts';
import { type OwnersDialect, ownersFiles } from '../../../reviewer/repository/owners/owners.ts';
import { placeOf } from '../../../reviewer/repository/repository.ts';
import type { CheckVerdict } from '../../../reviewer/review-report.ts';
import type { Attempt } from '../../../work/unit-of-work.ts';
import type { Host } from '../../connections/hosts/host.ts';
import { type HostDeps, withHost } from '../../connections/open-host.ts';
import { readAtHost } from '../../connections/own-accounts.ts';
import {
  findServingConnection,
  type ServedRepository,
} from '../../connections/reading/serving-connection.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import { storeBranchChecks } from '../check-records/check-record-store.ts';
import { findEvaluation, type StoredEvaluation, storeEvaluation } from '../check-records/check-store.ts';
import { findOverrides, type Override } from '../check-records/override-store.ts';
import { dialectOf } from '../gathering/known-people.ts';
import type { InstallationModel } from '../gathering/organization-model.ts';
import type { PullRequestCommits } from '../mirror/pull-request-commits.ts';
import type { ReviewedPullRequest } from '../reviewed-pull-requests/pull-request-facts.ts';
import { findPullRequest } from '../reviewed-pull-requests/pull-request-store.ts';
import {
  type CommitDeps,
  readBaseConfiguration,
  withPullRequest,
} from '../reviewed-pull-requests/running/base-configuration.ts';
import { guardedHost } from '../reviewed-pull-requests/running/guarded-host.ts';
import { refOf } from '../reviewed-pull-requests/running/plan-run.ts';
import { NothingToReview } from '../reviewed-pull-requests/running/pull-request-attempt.ts';
import { confirmReviewing } from '../reviewed-pull-requests/running/review-pull-request.ts';
import { type ReviewSettings, readReviewSettings } from '../settings/review-settings.ts';
import { findApprovals, noApprovals } from './approvals.ts';
import { listReports, withReports } from './coverage/coverage-store.ts';
import { findLinkedIssues } from './linked-issues.ts';
import { applyOverrides } from './overrides/apply-overrides.ts';
import { isDue, listAnswers, type StoredAnswer } from './questions/answer-store.ts';
import { answersToQuestions } from './questions/answers-to-questions.ts';
import { findReviewState, type ReviewState } from './review-state.ts';
import { type ShowChecksDeps, showChecks } from './show-checks.ts';

export interface CheckDeps extends HostDeps, CommitDeps, ShowChecksDeps {
  readonly model?: InstallationModel | undefined;
  /** Has the model asked the questions that are still unanswered. */
  readonly askQuestions: (key: PullRequestKey) => Promise<void>;
}

/** The configuration in the base branch can change without an event about the pull request, so an evaluation expires. */
const maxAgeMs = 60 * 60_000;

/** A pull request that is checked. */
interface Checked {
  readonly key: PullRequestKey;
  readonly pull: ReviewedPullRequest;
  readonly served: ServedRepository;
  readonly settings: ReviewSettings;
  readonly review: ReviewState;
  /** Digests of the coverage reports of this head. */
  readonly reports: readonly string[];
  readonly overrides: readonly Override[];
  /** The model's answers about this head. */
  readonly answers: readonly StoredAnswer[];
}

/**
 * Evaluates the checks of an open pull request and shows the verdicts. Skipped if nothing that they depend on has changed; a
 * status that the host shows already is not sent again.
 */
export async function checkPullRequest(
  deps: CheckDeps,
  key: PullRequestKey,
  { signal }: Attempt,
): Promise<void> {
  const { sql } = deps.database;
  const pull = await findPullRequest(sql, key);
  if (pull?.state !== 'open') return;
  const served = await findServingConnection(sql, key.organizationId, key.repositoryId);
  if (served === undefined || served.connection.review === 'off') return;
  const settings = await readReviewSettings(sql, key.organizationId);
  const review = await findReviewState(sql, key, pull.head);
  const version = { ...key, head: pull.head };
  const reports = await listReports(sql, version);
  const overrides = await findOverrides(sql, key, pull.head);
  const answers = await listAnswers(sql, key, pull.head);
  const checked = { key, pull, served, settings, review, reports, overrides, answers };
  const basis = basisOf(checked);
  const before = await findEvaluation(sql, key, pull.head);
  const isAskedAgain = answers.some((answer) => isDue(answer, deps.clock()));
  if (before !== undefined && !isAskedAgain && isCurrent(before, basis, deps.clock())) return;
  try {
    await withHost(deps, served.connection.id, async (unguarded) => {
      const host = guardedHost(unguarded, async () => {
        signal.throwIfAborted();
        await confirmReviewing(deps, key, served);
      });
      const found = await evaluate(deps, host, checked, signal);
      if (found === null) return;
      if (found.isAsking) await deps.askQuestions(key);
      const verdicts = applyOverrides(found.verdicts, overrides);
      const shown = await showChecks(deps, host, checked, verdicts, before?.shown ?? null);
      await storeEvaluation(deps.database, key, pull.head, {
        basis,
        verdicts,
        shown,
        evaluatedAt: deps.clock(),
      });
    });
  } catch (error) {
    if (!(error instanceof NothingToReview)) throw error;
  }
}

function basisOf({ pull, settings, review, reports, overrides, answers }: Checked): string {
  const { head, facts, isDraft } = pull;
  const { defaults, enforcedChecks } = settings;
  const said = answers.map(({ digest, outcome, fault }) => [digest, outcome, fault]);
  const basis = [head, facts, isDraft, defaults, enforcedChecks, review, reports, overrides, said];
  return hash('sha256', JSON.stringify(basis));
}

/**
 * Whether an evaluation is still valid. Approvals and linked issues change at the host without an event, so verdicts on them
 * are never reused; nor is an evaluation if another head was evaluated since, because the summary then shows the other one's
 * verdicts.
 */
function isCurrent(
  { basis, verdicts, evaluatedAt, isNewest }: StoredEvaluation,
  present: string,
  now: Date,
): boolean {
  const asksHost = verdicts.some(({ name }) => name === 'owners' || name === 'linked_issue');
  return isNewest && basis === present && !asksHost && now.getTime() - evaluatedAt.getTime() < maxAgeMs;
}

interface Evaluated {
  readonly verdicts: readonly CheckVerdict[];
  /** Whether questions for the model are still unanswered. */
  readonly isAsking: boolean;
}

/** Evaluates the checks that the base branch configures; null if the pull request is gone. */
async function evaluate(
  deps: CheckDeps,
  host: Host,
  checked: Checked,
  signal: AbortSignal,
): Promise<Evaluated | null> {
  const { key, pull, served, settings } = checked;
  const text = await readText(deps, host, checked);
  if (text === null) return null;
  const revisions = { number: key.number, head: pull.head, base: pull.facts.base };
  const { verdicts, isAsking } = await withPullRequest(
    deps,
    host,
    served,
    revisions,
    signal,
    async (commits) => {
      const { configuration, file, checks, unknownChecks, notes } = await readBaseConfiguration(
        commits,
        settings,
      );
      const revision = commits.baseTip;
      const read = { branch: pull.facts.base.ref, revision, file, checks, notes, readAt: deps.clock() };
      await storeBranchChecks(deps.database.sql, key, read);
      const voices = [settings.enforcedChecks, configuration.checks];
      const asksFor = (name: 'linked_issue' | 'owners' | 'coverage') =>
        voices.some((voice) => voice[name] !== undefined && voice[name].mode !== 'off');
      const named = { ...text, isFork: pull.facts.isFork, number: key.number };
      const issues = asksFor('linked_issue')
        ? await findLinkedIssues(deps.database.sql, host, served, named)
        : [];
      const approvals = asksFor('owners')
        ? await findApprovals(deps.database.sql, host, served, {
            number: key.number,
            author: pull.facts.author,
          })
        : noApprovals;
      const owners = asksFor('owners') ? dialectOf(served.connection) : null;
      const { answerTo, isAsking: isNotAsked } = await answersToQuestions(
        deps.database.sql,
        deps.model,
        checked,
        configuration,
        commits.mergeBase,
        questionsOf(voices),
        deps.clock(),
      );
      const pullRequest = { ...text, issues, approvals };
      const known = { pullRequest, answerTo, ...reviewed(checked.review) };
      const version = { ...key, head: pull.head };
      const sent = asksFor('coverage') ? checked.reports : [];
      const judged = await withReports(deps.database.sql, version, sent, (reports) =>
        judge(commits, { settings: voices, dialect: owners, reports }, known),
      );
      return { verdicts: [...notKnown(unknownChecks), ...judged], isAsking: isNotAsked };
    },
  );
  // Titles and paths come from users, and can contain a credential.
  const safe = verdicts.map(({ files, ...check }) => ({
    ...check,
    text: redactCredentials(check.text),
    ...(files && { files: withShownPaths(files) }),
  }));
  return { verdicts: safe, isAsking };
}

/**
 * Title and description; read from the host if an earlier version of Postil has not stored them. What is read is not stored: a
 * new head has to be noted together with the review that it makes due.
 */
async function readText(deps: CheckDeps, host: Host, { key, pull: { facts }, served }: Checked) {
  const { title, description } = facts;
  if (title !== undefined && description !== undefined) return { title, description };
  const present = await readAtHost(deps.database.sql, host, served.connection, refOf(served), key.number);
  return present && { title: present.title, description: present.description };
}

/**
 * A faulty configuration file makes the checks inconclusive, so that nothing is green while it is unknown what the file asks
 * for.
 */
function notKnown(reason: string | null): CheckVerdict[] {
  if (reason === null) return [];
  return [{ name: 'configuration', mode: 'error', verdict: 'inconclusive', text: `${reason}.` }];
}

const reviewed = ({ findings, unreviewed }: ReviewState) => ({ findings, unreviewed });

async function judge(
  { mergeBase, head, baseTip, repository, run, bringChange, bringFiles }: PullRequestCommits,
  {
    settings,
    dialect,
    reports,
  }: Pick<CheckRequest, 'settings' | 'reports'> & { dialect: OwnersDialect | null },
  known: KnownFacts,
): Promise<readonly CheckVerdict[]> {
  if (mergeBase === undefined)
    return evaluateAll(settings, {
      ...known,
      ...unreadChange('it has no history in common with its base'),
    });
  await bringChange(mergeBase, head);
  if (dialect !== null) await bringFiles(ownersFiles[dialect]);
  const owners = dialect && { dialect, revision: baseTip };
  const change = { kind: 'commits', repository: placeOf(repository), base: mergeBase, head } as const;
  return checkChange({ settings, change, reports, owners, run }, known);
}
