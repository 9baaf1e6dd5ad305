import type { ReviewConfiguration } from '../../../reviewer/configuration/review-configuration.ts';
import {
  type ChangeQuestion,
  maxChangeTokens,
  type QuestionAnswer,
} from '../../../reviewer/model/answering/answer-about-change.ts';
import { readGuidelines } from '../../../reviewer/model/guidelines/read-guidelines.ts';
import { repositoryBehind } from '../../../reviewer/model/model-repository.ts';
import { partAt } from '../../../reviewer/process/part.ts';
import { PartEnded } from '../../../reviewer/process/part-failure.ts';
import { placeOf } from '../../../reviewer/repository/repository.ts';
import { readAtHost } from '../../connections/own-accounts.ts';
import { addUsageOfAnswer, reserveForAnswer } from '../../reviews/gathering/answer-budget.ts';
import { CommitGone, type PullRequestCommits } from '../../reviews/mirror/pull-request-commits.ts';
import {
  readBaseConfiguration,
  withPullRequest,
} from '../../reviews/reviewed-pull-requests/running/base-configuration.ts';
import { refOf } from '../../reviews/reviewed-pull-requests/running/plan-run.ts';
import { readReviewSettings } from '../../reviews/settings/review-settings.ts';
import type { SaidComment } from '../comments/said-comment.ts';
import type { ConversationDeps, Scene } from '../conversation-deps.ts';
import { answerTexts } from './answer-texts.ts';

const missingTexts = {
  budget: answerTexts.budgetSpent,
  time: answerTexts.modelFailed,
  model_failed: answerTexts.modelFailed,
} as const;

/** The model's answer to a question. Its cost counts against the organization's budget, like that of a review. */
export async function answerQuestion(
  deps: ConversationDeps,
  scene: Scene,
  said: SaidComment,
): Promise<string> {
  const { key, pull, served, host, signal } = scene;
  const settings = await readReviewSettings(deps.database.sql, key.organizationId);
  const revisions = { number: key.number, head: pull.head, base: pull.facts.base };
  try {
    const answer = await withPullRequest(deps, host, served, revisions, signal, async (commits) => {
      const { configuration } = await readBaseConfiguration(commits, settings);
      if (!configuration.reviews.model.enabled) return null;
      return ask(deps, scene, said, await showChange(commits, configuration, said));
    });
    if (answer === null) return answerTexts.modelOff;
    return 'text' in answer ? answer.text : missingTexts[answer.missing];
  } catch (error) {
    if (error instanceof CommitGone) return answerTexts.changeGone;
    throw error;
  }
}

const showPart = partAt<typeof import('../../../reviewer/model/showing/show-change-part.ts')>(
  '../../../reviewer/model/showing/show-change-part',
  import.meta.url,
);

/** The parts of the change and of its repository that the model sees. */
type Shown = Pick<ChangeQuestion, 'change' | 'guidelines' | 'repository'>;

/** The diff of the file that a thread is about, or of the whole change; nothing if reading it exceeds a limit. */
async function showChange(
  commits: PullRequestCommits,
  configuration: ReviewConfiguration,
  { thread }: SaidComment,
): Promise<Shown> {
  const { repository, head, mergeBase, run } = commits;
  if (mergeBase === undefined) return { change: [] };
  await commits.bringChange(mergeBase, head);
  // Files that could not be fetched are invisible to the model's tools.
  await commits.bringTree(mergeBase);
  const whole = { kind: 'commits', repository: placeOf(repository), base: mergeBase, head } as const;
  const change = thread === null ? whole : { ...whole, paths: [thread.path] };
  const shown = await run(showPart, { change, maxTokens: maxChangeTokens }).catch((error: unknown) => {
    if (error instanceof PartEnded) return [];
    throw error;
  });
  const files = shown.map(({ path }) => path);
  const { guidelines } = await readGuidelines({ change, configuration, run }, files);
  return { change: shown, guidelines, repository: repositoryBehind(run, { change, files }) };
}

async function ask(
  { database, clock, model }: ConversationDeps,
  { key, served, host, signal }: Scene,
  { key: commentId, thread, comment }: SaidComment,
  shown: Shown,
): Promise<QuestionAnswer> {
  const { limits, maxUsd, ask: askModel } = model!;
  const question = { ...key, commentId };
  const allowance = await reserveForAnswer(database, question, maxUsd, clock());
  const present = await readAtHost(database.sql, host, served.connection, refOf(served), key.number);
  const before = thread?.comments.slice(
    0,
    thread.comments.findIndex(({ id }) => id === comment.id),
  );
  const earlier = (before ?? []).map(({ isOwn, body }) => ({
    by: isOwn ? ('reviewer' as const) : ('person' as const),
    text: body,
  }));
  return askModel!(
    {
      question: comment.body,
      earlier,
      pullRequest: { title: present?.title ?? '', description: present?.description ?? '' },
      ...shown,
    },
    {
      limits: {
        ...limits,
        maxTokens: Math.max(0, limits.maxTokens - allowance.usedTokens),
        maxUsd: allowance.usd,
      },
      repositoryUrl: `${served.connection.url}/${served.repository.fullName}`,
      onUsage: (used) => addUsageOfAnswer(database.sql, question, used),
    },
    signal,
  );
}
