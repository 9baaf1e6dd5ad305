import { hash } from 'node:crypto';
import { CommitGone } from '../../reviews/mirror/pull-request-commits.ts';
import {
  readBaseConfiguration,
  withPullRequest,
} from '../../reviews/reviewed-pull-requests/running/base-configuration.ts';
import { readReviewSettings } from '../../reviews/settings/review-settings.ts';
import { answerTexts } from '../answers/answer-texts.ts';
import type { SaidComment } from '../comments/said-comment.ts';
import type { ConversationDeps, Scene } from '../conversation-deps.ts';

/** The delay that the configuration of the base branch sets; null if it sets none, or cannot be read. */
async function findApprovalDelay(
  deps: ConversationDeps,
  { key, pull, served, host, signal }: Scene,
): Promise<number | null> {
  const settings = await readReviewSettings(deps.database.sql, key.organizationId);
  const revisions = { number: key.number, head: pull.head, base: pull.facts.base };
  try {
    return await withPullRequest(deps, host, served, revisions, signal, async (commits) => {
      const { configuration } = await readBaseConfiguration(commits, settings);
      return configuration.knowledge_base.learnings.approval_delay;
    });
  } catch (error) {
    if (error instanceof CommitGone) return null;
    throw error;
  }
}

/**
 * Stores what a member said as a Learning, and returns the answer. Idempotent per `occasion`: intake remembers the ids of
 * these events forever.
 */
export async function captureLearning(
  deps: ConversationDeps,
  scene: Scene,
  { author, comment }: SaidComment,
  occasion: string,
  text: string,
): Promise<string> {
  const { key, pull, served } = scene;
  if (text === '') return answerTexts.rememberWhat;
  if (pull.state === 'closed') return answerTexts.endedLearning;
  const { tenant, providerRepositoryId } = served.repository;
  const delay = await findApprovalDelay(deps, scene);
  const now = deps.clock();
  const event = {
    specversion: '1.0',
    id: hash('sha256', JSON.stringify([key.organizationId, key.repositoryId, key.number, occasion])),
    source: '/conversations',
    type: 'postil.learning_captured',
    time: now.toISOString(),
    data: {
      provider: tenant.provider,
      org_id: tenant.orgId,
      ...(tenant.instance !== null && { instance: tenant.instance }),
      repository_id: providerRepositoryId,
      learning: text,
      author_id: author.id,
      origin: 'chat',
      ...(/^https?:/.test(comment.url) && { source_url: comment.url }),
      ...(delay !== null && { approval_delay_days: delay }),
      pull_request: { number: key.number, state: pull.state },
    },
  };
  const [failure] = await deps.acceptEvents([event], now);
  if (failure === undefined) return answerTexts.remembered;
  if (failure.code !== 'INVALID_REQUEST') throw new Error(`a Learning was not stored: ${failure.message}`);
  return answerTexts.notRemembered(
    /must have at most \d+ characters|contains nothing but a credential/.exec(failure.message)?.[0] ??
      'is not usable',
  );
}
