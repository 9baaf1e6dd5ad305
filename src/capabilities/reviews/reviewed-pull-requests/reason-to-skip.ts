import type { Db } from '../../../db/database.ts';
import { findMembership } from '../../people/seats/has-seat.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import type { PullRequestFacts } from './pull-request-facts.ts';

/** Why a pull request is not reviewed unless somebody with a seat asks for it; null if it is. */
export async function reasonToSkip(
  db: Db,
  { organizationId }: PullRequestKey,
  { isPaused, author }: Pick<PullRequestFacts, 'author'> & { readonly isPaused: boolean },
): Promise<'PAUSED' | 'NO_SEAT' | null> {
  if (isPaused) return 'PAUSED';
  const member = author === null ? undefined : await findMembership(db, organizationId, author.id);
  return member?.hasSeat === true ? null : 'NO_SEAT';
}
