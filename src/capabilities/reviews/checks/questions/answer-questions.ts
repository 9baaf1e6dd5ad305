import type { CheckQuestion, ShownForQuestions } from '../../../../reviewer/checks/check-question.ts';
import { questionsOf } from '../../../../reviewer/checks/evaluate-checks.ts';
import type { ReviewConfiguration } from '../../../../reviewer/configuration/review-configuration.ts';
import { maxShownTokens } from '../../../../reviewer/model/answering/answer-check.ts';
import { partAt } from '../../../../reviewer/process/part.ts';
import { PartEnded } from '../../../../reviewer/process/part-failure.ts';
import { placeOf } from '../../../../reviewer/repository/repository.ts';
import type { Attempt } from '../../../../work/unit-of-work.ts';
import { type HostDeps, withHost } from '../../../connections/open-host.ts';
import {
  findServingConnection,
  type ServedRepository,
} from '../../../connections/reading/serving-connection.ts';
import type { PullRequestKey } from '../../../pull-requests/pull-request-state.ts';
import type { InstallationModel } from '../../gathering/organization-model.ts';
import { CommitGone, type PullRequestCommits } from '../../mirror/pull-request-commits.ts';
import type { ReviewedPullRequest } from '../../reviewed-pull-requests/pull-request-facts.ts';
import { findPullRequest } from '../../reviewed-pull-requests/pull-request-store.ts';
import {
  type CommitDeps,
  readBaseConfiguration,
  withPullRequest,
} from '../../reviewed-pull-requests/running/base-configuration.ts';
import { type ReviewSettings, readReviewSettings } from '../../settings/review-settings.ts';
import {
  type AskedQuestion,
  addUsageOfQuestion,
  digestOf,
  isDue,
  listAnswers,
  reserveForQuestion,
  storeAnswer,
} from './answer-store.ts';
import { whyNotAsked } from './why-not-asked.ts';

export interface AnswerDeps extends HostDeps, CommitDeps {
  readonly model?: InstallationModel | undefined;
  /** Has a pull request checked again. */
  readonly requestChecks: (key: PullRequestKey) => Promise<void>;
}

interface Subject {
  readonly key: PullRequestKey;
  readonly pull: ReviewedPullRequest;
  readonly served: ServedRepository;
  readonly settings: ReviewSettings;
  readonly signal: AbortSignal;
}

const showPart = partAt<typeof import('../../../../reviewer/review/asking/show-part.ts')>(
  '../../../../reviewer/review/asking/show-part',
  import.meta.url,
);

/**
 * Asks the model the open questions of a pull request's checks, each once per head. Separate from the evaluation, so that no
 * status has to wait for a model.
 */
export async function answerQuestions(
  deps: AnswerDeps,
  key: PullRequestKey,
  { signal }: Attempt,
): Promise<void> {
  const { sql } = deps.database;
  const pull = await findPullRequest(sql, key);
  const served = await findServingConnection(sql, key.organizationId, key.repositoryId);
  if (pull?.state !== 'open' || served === undefined || served.connection.review === 'off') return;
  const settings = await readReviewSettings(sql, key.organizationId);
  const revisions = { number: key.number, head: pull.head, base: pull.facts.base };
  const subject = { key, pull, served, settings, signal };
  try {
    await withHost(deps, served.connection.id, (host) =>
      withPullRequest(deps, host, served, revisions, signal, (commits) => askAll(deps, subject, commits)),
    );
  } catch (error) {
    if (!(error instanceof CommitGone)) throw error;
  }
}

async function askAll(deps: AnswerDeps, subject: Subject, commits: PullRequestCommits): Promise<void> {
  const { database, model, clock } = deps;
  const { key, pull, settings, signal } = subject;
  const { mergeBase } = commits;
  const { configuration } = await readBaseConfiguration(commits, settings);
  if (mergeBase === undefined || model === undefined) return;
  if ((await whyNotAsked(database.sql, model, pull, configuration)) !== null) return;
  const known = await listAnswers(database.sql, key, pull.head);
  const due = questionsOf([settings.enforcedChecks, configuration.checks])
    .map((question) => ({ ...question, digest: digestOf(model.name, mergeBase, question) }))
    .filter(({ digest }) =>
      isDue(
        known.find((answer) => answer.digest === digest),
        clock(),
      ),
    );
  if (due.length === 0) return;
  const shown = await showChange(commits, mergeBase, configuration, due);
  for (const question of due) {
    signal.throwIfAborted();
    const asked = { ...key, head: pull.head, digest: question.digest };
    await ask(deps, model, subject, { question, asked, shown });
    await deps.requestChecks(key);
  }
}

/** The change as the model sees it; an explanation if it is too large to be read. */
async function showChange(
  { repository, head, run, bringChange }: PullRequestCommits,
  mergeBase: string,
  configuration: ReviewConfiguration,
  questions: readonly CheckQuestion[],
): Promise<ShownForQuestions | string> {
  await bringChange(mergeBase, head);
  const change = { kind: 'commits', repository: placeOf(repository), base: mergeBase, head } as const;
  const names = questions.map(({ name }) => name);
  return run(showPart, { change, configuration, maxTokens: maxShownTokens, names }).catch(
    (error: unknown) => {
      if (error instanceof PartEnded) return `The change could not be read: ${error.message}.`;
      throw error;
    },
  );
}

async function ask(
  { database, clock }: AnswerDeps,
  { limits, maxUsd, judge }: InstallationModel,
  { served, signal }: Subject,
  {
    question,
    asked,
    shown,
  }: {
    readonly question: CheckQuestion;
    readonly asked: AskedQuestion;
    readonly shown: ShownForQuestions | string;
  },
): Promise<void> {
  const { sql } = database;
  const allowance = await reserveForQuestion(database, asked, maxUsd, clock());
  if (typeof shown === 'string') return storeAnswer(sql, asked, { verdict: 'inconclusive', text: shown });
  const maxTokens = Math.max(0, limits.maxTokens - allowance.usedTokens);
  const answer = await judge!(
    question,
    shown,
    {
      limits: { ...limits, maxTokens, maxUsd: allowance.usd },
      repositoryUrl: `${served.connection.url}/${served.repository.fullName}`,
      onUsage: (used) => addUsageOfQuestion(sql, asked, used),
    },
    signal,
  );
  await storeAnswer(sql, asked, answer);
}
