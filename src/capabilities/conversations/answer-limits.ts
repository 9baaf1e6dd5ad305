import type { AddressedComment } from './comment-store.ts';

const hourMs = 60 * 60 * 1000;

/**
 * Limits on the number of answers. People never reach them; unrecognized bots that reply to every answer do, which ends the
 * loop (ADR 0101).
 */
export const answerLimits = {
  perThreadAndHour: 10,
  perPullRequestAndHour: 20,
  perPullRequest: 200,
} as const;

export type Room = 'none' | 'last' | 'enough';

/** Whether another answer is allowed; `last`: this one is, but no further one within the hour. */
export function roomForAnswer(known: Iterable<AddressedComment>, threadId: string | null, now: Date): Room {
  const answers = [...known].filter(({ state }) => state !== 'silent');
  const recent = answers.filter(({ decidedAt }) => decidedAt.getTime() > now.getTime() - hourMs);
  const left = Math.min(
    answerLimits.perThreadAndHour - recent.filter((one) => one.threadId === threadId).length,
    answerLimits.perPullRequestAndHour - recent.length,
    answerLimits.perPullRequest - answers.length,
  );
  return left <= 0 ? 'none' : left === 1 ? 'last' : 'enough';
}
