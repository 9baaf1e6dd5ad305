import type { AddressedComment } from './comment-store.ts';

const hourMs = 60 * 60 * 1000;

/**
 * How much is answered at most. People do not come near it. Programs that are not known as such and answer every answer do,
 * and then find nobody who talks to them (ADR 0101).
 */
export const answerLimits = {
  perThreadAndHour: 10,
  perPullRequestAndHour: 20,
  perPullRequest: 200,
} as const;

export type Room = 'none' | 'last' | 'enough';

/** Whether another comment is answered; `last`: this one is, and the next one of the hour is not. */
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
