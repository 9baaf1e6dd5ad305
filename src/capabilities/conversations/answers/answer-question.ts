import { readChange } from '../../../reviewer/change/read-change.ts';
import type { ChangeQuestion, QuestionAnswer } from '../../../reviewer/model/answer-about-change.ts';
import { addUsageOfAnswer, reserveForAnswer } from '../../reviews/gathering/answer-budget.ts';
import { CommitGone, type PullRequestCommits } from '../../reviews/mirror/pull-request-commits.ts';
import {
  readBaseConfiguration,
  withPullRequest,
} from '../../reviews/pull-requests/running/base-configuration.ts';
import { refOf } from '../../reviews/pull-requests/running/plan-run.ts';
import { readReviewSettings } from '../../reviews/settings/review-settings.ts';
import type { SaidComment } from '../comments/said-comment.ts';
import type { ConversationDeps, Scene } from '../conversation-deps.ts';
import { answerTexts } from './answer-texts.ts';

const missingTexts = {
  budget: answerTexts.budgetSpent,
  time: answerTexts.modelFailed,
  model_failed: answerTexts.modelFailed,
} as const;

/** What is answered to a question, by the model. What it costs counts against the organization's budget, as a review does. */
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
      return ask(deps, scene, said, await readFiles(commits, said));
    });
    if (answer === null) return answerTexts.modelOff;
    return 'text' in answer ? answer.text : missingTexts[answer.missing];
  } catch (error) {
    if (error instanceof CommitGone) return answerTexts.changeGone;
    throw error;
  }
}

/** The file that a thread is about, or the whole change. */
async function readFiles(commits: PullRequestCommits, { thread }: SaidComment) {
  const { repository, head, mergeBase } = commits;
  if (mergeBase === undefined) return [];
  const paths = thread === null ? undefined : [thread.path];
  await commits.bringChange(mergeBase, head, paths);
  const { files } = await readChange(repository, { base: mergeBase, head, ...(paths && { paths }) });
  return files;
}

async function ask(
  { database, clock, model }: ConversationDeps,
  { key, served, host, signal }: Scene,
  { key: commentId, thread, comment }: SaidComment,
  files: ChangeQuestion['files'],
): Promise<QuestionAnswer> {
  const { limits, maxUsd, ask: askModel } = model!;
  const question = { ...key, commentId };
  const allowance = await reserveForAnswer(database, question, maxUsd, clock());
  const present = await host.readPullRequest(refOf(served), key.number);
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
      files,
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
