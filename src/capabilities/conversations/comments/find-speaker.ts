import type { Db } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import type { Connection } from '../../connections/connection-record.ts';
import { isOwnAccount } from '../../connections/own-accounts.ts';
import { findMembership } from '../../people/seats/has-seat.ts';
import { isWrittenByPostil } from './answer-marker.ts';
import type { SaidComment } from './said-comment.ts';

export type SpeakerRole = 'program' | 'stranger' | 'member';

/**
 * Who wrote a comment. Programs get no answer, whoever vouches for them: a bot by its host's word or the organization's, an
 * account of this installation, and whatever another Postil wrote.
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
