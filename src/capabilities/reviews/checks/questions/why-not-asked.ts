import type { Db } from '../../../../db/database.ts';
import type { ReviewConfiguration } from '../../../../reviewer/configuration/review-configuration.ts';
import { findMembership } from '../../../people/seats/has-seat.ts';
import type { InstallationModel } from '../../gathering/organization-model.ts';
import type { ReviewedPullRequest } from '../../reviewed-pull-requests/pull-request-facts.ts';

/**
 * Why no model is asked about a pull request, as a sentence; null if one is. As with reviews, authors without a seat cause
 * no costs.
 */
export async function whyNotAsked(
  db: Db,
  model: InstallationModel | undefined,
  { organizationId, isDraft, facts: { author } }: ReviewedPullRequest,
  { reviews }: ReviewConfiguration,
): Promise<string | null> {
  if (model?.judge === undefined) return 'This check needs a model, and none is set up here.';
  if (!reviews.model.enabled) return 'This check needs a model, which is turned off for this repository.';
  if (isDraft) return 'The model is asked when the pull request is ready for review.';
  const member = author === null ? undefined : await findMembership(db, organizationId, author.id);
  return member?.hasSeat === true ? null : 'The author has no seat, so no model is asked.';
}
