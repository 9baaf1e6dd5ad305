import type { Db } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import type { Connection } from '../../connections/connection-record.ts';
import { isOwnAccount } from '../../connections/own-accounts.ts';
import { findMembership } from '../../people/seats/has-seat.ts';
import { isWrittenByPostil } from './answer-marker.ts';
import type { SaidComment } from './said-comment.ts';

export type SpeakerRole = 'program' | 'stranger' | 'member';

/**
 * Determines the kind of a comment's author. Bots get no answer: accounts that the host or the organization marks as bots,
 * accounts of this installation, and authors of texts by another Postil.
 */
export async function findSpeaker(
  db: Db,
  organizationId: OrganizationId,
  connection: Connection,
  { author, comment }: SaidComment,
): Promise<SpeakerRole> {
  if (author.isBot || author.username.endsWith('[bot]') || isWrittenByPostil(comment.body)) return 'program';
  if (await isOwnAccount(db, connection, author)) return 'program';
  const membership = await findMembership(db, organizationId, author.id);
  if (membership?.isBot) return 'program';
  return membership === undefined ? 'stranger' : 'member';
}
