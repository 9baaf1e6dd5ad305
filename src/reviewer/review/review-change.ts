import { judgeFindings } from '../judge/judge.ts';
import { toNotes } from '../notes.ts';
import { describeLook, lookAtChange } from './look-at-change.ts';
import type { ReviewRequest } from './review-request.ts';
import type { ReviewResult } from './review-result.ts';

/** Reviews a change: plans, lets rules and the model look at it, places what they say, and judges what is worth a comment. */
export async function reviewChange(request: ReviewRequest): Promise<ReviewResult> {
  const look = await lookAtChange(request);
  return {
    ...describeLook(look),
    ...judgeFindings(look.found, request.configuration),
    notes: toNotes([...(request.notes ?? []), ...look.remarks]),
  };
}
