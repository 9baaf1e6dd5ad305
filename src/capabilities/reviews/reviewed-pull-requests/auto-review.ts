import { globMatcher } from '../../../lib/patterns/glob.ts';
import type { ReviewConfiguration } from '../../../reviewer/configuration/review-configuration.ts';
import type { PullRequestFacts } from './pull-request-facts.ts';

type AutoReview = ReviewConfiguration['reviews']['auto_review'];

function matchesLabels(wanted: readonly string[], labels: readonly string[]): boolean {
  const has = (label: string) => labels.some((one) => one.toLowerCase() === label.toLowerCase());
  if (wanted.some((label) => label.startsWith('!') && has(label.slice(1)))) return false;
  const included = wanted.filter((label) => !label.startsWith('!'));
  return included.length === 0 || included.some(has);
}

/** Whether the configuration wants a pull request to be reviewed without being asked. */
export function isReviewedAutomatically(
  { enabled, drafts, base_branches, ignore_authors, labels }: AutoReview,
  pull: PullRequestFacts & { readonly isDraft: boolean },
): boolean {
  const author = pull.author?.username.toLowerCase();
  return (
    enabled &&
    (drafts || !pull.isDraft) &&
    (base_branches.length === 0 || globMatcher(base_branches)(pull.base.ref)) &&
    !ignore_authors.some((name) => name.toLowerCase() === author) &&
    matchesLabels(labels, pull.labels)
  );
}
