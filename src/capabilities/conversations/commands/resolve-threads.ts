import { HostRefused } from '../../connections/hosts/host.ts';
import type { HostThread } from '../../connections/hosts/review-host.ts';
import { refOf } from '../../reviews/reviewed-pull-requests/running/plan-run.ts';
import { answerTexts } from '../answers/answer-texts.ts';
import type { SaidComment } from '../comments/said-comment.ts';
import type { Scene } from '../conversation-deps.ts';

/** The threads that the own account has started. */
const isOwn = ({ comments: [first] }: HostThread) => first!.isOwn;

/**
 * Resolves the own thread in which the command was given, or else all own threads; returns the answer. Never touches threads
 * of people. Idempotent.
 */
export async function resolveThreads(
  { host, served, key, conversation, signal }: Scene,
  { thread }: SaidComment,
): Promise<string> {
  if (thread !== null && !isOwn(thread)) return answerTexts.foreignThread;
  const wanted = thread === null ? conversation.threads.filter(isOwn) : [thread];
  if (wanted.length === 0) return answerTexts.nothingToResolve;
  let isDone = true;
  for (const one of wanted.filter(({ isResolved }) => !isResolved)) {
    signal.throwIfAborted();
    try {
      if (!(await host.resolve(refOf(served), key.number, one))) isDone = false;
    } catch (error) {
      // A thread that was deleted in the meantime must not stop the others.
      if (!(error instanceof HostRefused)) throw error;
      isDone = false;
    }
  }
  if (!isDone) return answerTexts.notResolved;
  return thread === null ? answerTexts.resolved : answerTexts.resolvedOne;
}
