import { sectionsOfDiff } from '../../change/change-of-diff.ts';
import type { SentDiff } from '../../change/change-source.ts';

/** How many files a diff has; throws a DiffError if it cannot be read or does not match the files sent with it. */
export async function work({ diff, files }: SentDiff): Promise<number> {
  return sectionsOfDiff(diff, files).length;
}
