import type { LearningForReview, LearningsForReview, PullRequestText } from './review-context.ts';
import type { FilePart } from './showing/show-file.ts';

const maxLearnings = 10;
const maxText = 8_000;

/** Finds the Learnings for the files that one call shows. */
export async function findLearnings(
  {
    learnings,
    pullRequest,
  }: {
    readonly learnings?: LearningsForReview | undefined;
    readonly pullRequest?: PullRequestText | undefined;
  },
  parts: readonly FilePart[],
): Promise<readonly LearningForReview[]> {
  if (learnings === undefined) return [];
  const paths = [...new Set(parts.map(({ path }) => path))];
  const text = `${pullRequest?.title ?? ''}\n${parts.map((part) => part.text).join('\n')}`;
  const found = await learnings.find({ paths, text: text.slice(0, maxText), limit: maxLearnings });
  return found.slice(0, maxLearnings);
}
