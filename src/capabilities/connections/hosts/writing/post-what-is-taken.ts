import type { HostThread, NewReviewComment, PublishedReview } from '../review-host.ts';
import { allPosted } from './match-posted.ts';

type Comments = readonly NewReviewComment[];

/** A host that rejects a whole review because of one comment, without saying which. */
export interface AllOrNothing {
  post(comments: Comments): Promise<unknown>;
  /** Whether the host would accept these comments; leaves nothing behind. */
  wouldTake(comments: Comments): Promise<boolean>;
  isBadPlace(error: unknown): error is Error;
  readThreads(): Promise<readonly HostThread[]>;
}

/** Posts a review. If the host rejects it, the comments with invalid places are found, and the others are posted. */
export async function postWhatIsTaken(comments: Comments, host: AllOrNothing): Promise<PublishedReview> {
  try {
    await host.post(comments);
  } catch (error) {
    if (!host.isBadPlace(error) || comments.length === 0) throw error;
    const refused = new Set(await findRefused(comments, (some) => host.wouldTake(some)));
    const rest = comments.filter((comment) => !refused.has(comment));
    // If even a review without comments is rejected, the places are not the cause.
    if (rest.length === 0 && !(await host.wouldTake([]))) throw error;
    if (rest.length > 0) await host.post(rest);
    return {
      posted: rest.length === 0 ? [] : allPosted(rest, await host.readThreads()),
      refused: [...refused].map(({ key }) => ({ key, reason: error.message })),
    };
  }
  return { posted: allPosted(comments, await host.readThreads()), refused: [] };
}

/** Bisects rejected comments until each rejected one stands alone. */
async function findRefused(
  comments: Comments,
  wouldTake: (comments: Comments) => Promise<boolean>,
): Promise<NewReviewComment[]> {
  if (comments.length < 2) return [...comments];
  const middle = Math.ceil(comments.length / 2);
  const refused: NewReviewComment[] = [];
  for (const half of [comments.slice(0, middle), comments.slice(middle)])
    if (!(await wouldTake(half))) refused.push(...(await findRefused(half, wouldTake)));
  return refused;
}
