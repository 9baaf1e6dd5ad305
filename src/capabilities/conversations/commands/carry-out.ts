import type { Tx } from '../../../db/database.ts';
import type { AuditChange } from '../../audit-log/record-changes.ts';
import { requestReport } from '../../findings/outcomes/report-outcomes.ts';
import { settleOutcome } from '../../findings/outcomes/settle-outcome.ts';
import { pauseReviews } from '../../reviews/reviewed-pull-requests/pause-reviews.ts';
import { queueRun } from '../../reviews/reviewed-pull-requests/queue-run.ts';
import type { RunMode } from '../../reviews/runs/run-record.ts';
import { answerTexts } from '../answers/answer-texts.ts';
import type { SaidComment } from '../comments/said-comment.ts';
import type { ConversationDeps, Scene } from '../conversation-deps.ts';

/** Who gave a command, and when it is carried out. */
export interface Order {
  readonly said: SaidComment;
  readonly hasSeat: boolean;
  /** The host has the answer already, but the database does not, for example after a restored backup. */
  readonly isRepeated: boolean;
  readonly now: Date;
}

export interface Done {
  readonly answer: string;
  readonly changes: readonly AuditChange[];
}

type AuditOfPull = 'review_requested' | 'reviews_paused' | 'reviews_resumed' | 'threads_resolved';

/** The audit entry for a change that affects the reviews of a pull request. */
export function changeOf(
  { key, pull, served }: Scene,
  action: AuditOfPull,
  metadata: Record<string, unknown> = {},
): AuditChange {
  return {
    organizationId: key.organizationId,
    action: `pull_request.${action}`,
    resourceType: 'pull_request',
    resourceId: `${served.repository.providerRepositoryId}/${key.number}`,
    resourceSummary: pull.url,
    metadata,
  };
}

/** An answer without any change. */
export const unchanged = (answer: string): Done => ({ answer, changes: [] });

/** Starts a review, as part of the given transaction. */
export async function orderReview(
  tx: Tx,
  deps: ConversationDeps,
  scene: Scene,
  { said: { author }, hasSeat, isRepeated, now }: Order,
  mode: RunMode,
): Promise<Done> {
  const { pull, key } = scene;
  if (!hasSeat) return unchanged(answerTexts.noSeat);
  if (pull.state !== 'open') return unchanged(answerTexts.ended(pull.state));
  if (!isRepeated) {
    const actor = { id: author.id, name: author.username };
    const request = { trigger: 'comment', mode, pull, actor, apiKeyId: null } as const;
    await queueRun(tx, { queue: deps.queue, unit: deps.runUnit }, key, request, now);
  }
  const answer = mode === 'full' ? answerTexts.reviewingFull(pull.head) : answerTexts.reviewing(pull.head);
  return { answer, changes: [changeOf(scene, 'review_requested', { mode })] };
}

export async function orderPause(tx: Tx, scene: Scene, { said: { author }, now }: Order): Promise<Done> {
  if (!(await pauseReviews(tx, scene.key, { by: author.username, at: now })))
    return unchanged(answerTexts.pausedAlready);
  return { answer: answerTexts.paused, changes: [changeOf(scene, 'reviews_paused')] };
}

/** Resumes automatic reviews, and starts a review of what was pushed in the meantime. */
export async function orderResume(tx: Tx, deps: ConversationDeps, scene: Scene, order: Order): Promise<Done> {
  const { pull, key } = scene;
  if (!(await pauseReviews(tx, key, null))) return unchanged(answerTexts.notPaused);
  const resumed = changeOf(scene, 'reviews_resumed');
  const isBehind = pull.state === 'open' && pull.lastReview?.head !== pull.head && order.hasSeat;
  if (!isBehind) return { answer: answerTexts.resumed, changes: [resumed] };
  const { changes } = await orderReview(tx, deps, scene, order, 'incremental');
  return { answer: answerTexts.resumedReviewing(pull.head), changes: [resumed, ...changes] };
}

/** Dismisses the finding of a thread; in the main conversation, ignores the pull request. */
export async function orderIgnore(tx: Tx, deps: ConversationDeps, scene: Scene, order: Order): Promise<Done> {
  const { key, pull, posted } = scene;
  const { thread, author, comment } = order.said;
  if (thread === null) return orderPause(tx, scene, order);
  const finding = posted.find(({ threadId }) => threadId === thread.id);
  if (finding === undefined) return unchanged(answerTexts.foreignThread);
  const { organizationId, repositoryId, number } = key;
  const outcome = { organizationId, repositoryId, of: { pullRequest: number }, findingId: finding.findingId };
  await settleOutcome(
    tx,
    outcome,
    {
      signals: [
        {
          signal: 'dismissed',
          source: 'command',
          at: comment.createdAt,
          actor: { id: author.id, name: author.username, isBot: false },
          evidence: { accepted: false, id: comment.id, url: comment.url },
        },
      ],
      prUrl: pull.url,
    },
    order.now,
  );
  await requestReport(tx, deps, key);
  return {
    answer: answerTexts.ignored,
    changes: [
      {
        organizationId,
        action: 'review_finding.judged',
        resourceType: 'review_finding',
        resourceId: finding.findingId,
        resourceSummary: finding.title,
        metadata: { accepted: false, comment: comment.url },
      },
    ],
  };
}
