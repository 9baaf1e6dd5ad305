import { classifyReply } from '../../findings/comments/classify-reply.ts';
import { plainProse } from '../../findings/comments/plain-prose.ts';
import { answerTexts } from '../answers/answer-texts.ts';
import type { Decided } from '../comment-store.ts';
import type { SaidComment } from '../comments/said-comment.ts';
import type { ConversationDeps, Scene } from '../conversation-deps.ts';
import { captureLearning } from './capture-learning.ts';

const maxReason = 500;

/** The finding that a comment declines; undefined if it says something else. */
export function findDeclined({ posted }: Scene, { thread, comment }: SaidComment) {
  if (thread === null || thread.comments[0]!.id === comment.id) return undefined;
  const finding = posted.find(({ threadId }) => threadId === thread.id);
  return finding !== undefined && classifyReply(comment.body) === 'wont_fix' ? finding : undefined;
}

/**
 * Proposes as a Learning what a member said against a finding, once for each finding. Gives the answer, null where there is
 * none because it was given before, and undefined where nothing was declined.
 */
export async function proposeLearning(
  deps: ConversationDeps,
  scene: Scene,
  decided: Decided,
  said: SaidComment,
): Promise<string | null | undefined> {
  const finding = findDeclined(scene, said);
  if (finding === undefined) return undefined;
  const isKnown = [...decided.values()].some(
    ({ kind, threadId }) => kind === 'wont_fix' && threadId === said.thread!.id,
  );
  if (isKnown) return null;
  const reason = plainProse(said.comment.body).replaceAll(/\s+/g, ' ').trim().slice(0, maxReason);
  const text = `Findings like "${finding.title}" (${finding.source.name}) are not wanted here. Reason given: ${reason}`;
  const answer = await captureLearning(deps, scene, said, `declined ${finding.findingId}`, text);
  return answer === answerTexts.remembered ? answerTexts.wontFix : answerTexts.wontFixOnly;
}
