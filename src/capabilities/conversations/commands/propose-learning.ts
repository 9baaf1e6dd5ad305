import { answersOnLines } from '../../findings/comments/answers-on-lines.ts';
import { classifyReply } from '../../findings/comments/classify-reply.ts';
import { plainProse } from '../../findings/comments/plain-prose.ts';
import { answerTexts } from '../answers/answer-texts.ts';
import type { Decided } from '../comment-store.ts';
import type { SaidComment } from '../comments/said-comment.ts';
import type { ConversationDeps, Scene } from '../conversation-deps.ts';
import { captureLearning } from './capture-learning.ts';

const maxReason = 500;

/** The finding that a comment declines, in its thread or on its lines; undefined if the comment does not decline one. */
export function findDeclined(scene: Scene, { thread, comment }: SaidComment) {
  if (thread === null || classifyReply(comment.body) !== 'wont_fix') return undefined;
  const isRoot = thread.comments[0]!.id === comment.id;
  return scene.posted.find(({ threadId }) =>
    threadId === thread.id ? !isRoot : answersTo(scene, threadId).includes(thread.id),
  );
}

/** The threads that were started on the lines of a finding, outside of its own thread. */
function answersTo({ posted, conversation }: Scene, findingThread: string): string[] {
  const findings = posted.map(({ threadId, startLine, endLine }) => ({
    threadId,
    lineCount: startLine === null || endLine === null ? 1 : endLine - startLine + 1,
  }));
  return (answersOnLines(conversation.threads, findings).get(findingThread) ?? []).map(({ id }) => id);
}

/**
 * Proposes a member's objection to a finding as a Learning, once per finding. Returns the answer, null if it was given
 * before, and undefined if nothing was declined.
 */
export async function proposeLearning(
  deps: ConversationDeps,
  scene: Scene,
  decided: Decided,
  said: SaidComment,
): Promise<string | null | undefined> {
  const finding = findDeclined(scene, said);
  if (finding === undefined) return undefined;
  const threads = new Set<string | null>([finding.threadId, ...answersTo(scene, finding.threadId)]);
  const isKnown = [...decided.values()].some(
    ({ kind, threadId }) => kind === 'wont_fix' && threads.has(threadId),
  );
  if (isKnown) return null;
  const reason = plainProse(said.comment.body).replaceAll(/\s+/g, ' ').trim().slice(0, maxReason);
  const text = `Findings like "${finding.title}" (${finding.source.name}) are not wanted here. Reason given: ${reason}`;
  const answer = await captureLearning(deps, scene, said, `declined ${finding.findingId}`, text);
  return answer === answerTexts.remembered ? answerTexts.wontFix : answerTexts.wontFixOnly;
}
