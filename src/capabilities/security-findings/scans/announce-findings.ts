import type { Tx } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { announce, isAnyoneListening } from '../../webhooks/announce.ts';
import type { AnnouncementType } from '../../webhooks/announcement.ts';
import { findEntries } from '../security-finding-store.ts';
import type { ScannedRepository } from './scan-store.ts';

const types: readonly AnnouncementType[] = ['postil.security.opened', 'postil.security.fixed'];
const findingsPerStep = 500;

interface FindingState {
  readonly organizationId: OrganizationId;
  readonly id: string;
  /** Null for a dismissal that waits for its finding. */
  readonly state: string | null;
}

async function findStates(tx: Tx, repositories: readonly ScannedRepository[]): Promise<FindingState[]> {
  return tx<FindingState[]>`
    SELECT organization_id AS "organizationId", id, state FROM security_findings
    WHERE (organization_id, repository_id) IN (
      SELECT * FROM unnest(${repositories.map(({ organizationId }) => organizationId)}::uuid[],
        ${repositories.map(({ repositoryId }) => repositoryId)}::uuid[]))`;
}

/** A finding is fixed only if it was known before: an old scan that arrives late opens nothing and fixes nothing. */
function announcedAs(before: string | null | undefined, now: string | null): AnnouncementType | undefined {
  if (now === 'open' && before !== 'open')
    return before === 'dismissed' ? undefined : 'postil.security.opened';
  return now === 'fixed' && (before === 'open' || before === 'dismissed')
    ? 'postil.security.fixed'
    : undefined;
}

/**
 * Applies scans of repositories that the transaction has locked, and announces which findings they opened and fixed. States are
 * compared before and after, because scans may arrive in any order and several at once.
 */
export async function applyAnnounced(
  tx: Tx,
  now: Date,
  repositories: readonly ScannedRepository[],
  apply: () => Promise<void>,
): Promise<void> {
  const organizationIds = repositories.map(({ organizationId }) => organizationId);
  if (!(await isAnyoneListening(tx, organizationIds, types))) return apply();
  const keyOf = ({ organizationId, id }: FindingState) => `${organizationId}/${id}`;
  const before = new Map((await findStates(tx, repositories)).map((found) => [keyOf(found), found.state]));
  await apply();
  const changed = (await findStates(tx, repositories)).flatMap((found) => {
    const type = announcedAs(before.get(keyOf(found)), found.state);
    return type === undefined ? [] : [{ ...found, type }];
  });
  for (let start = 0; start < changed.length; start += findingsPerStep) {
    const step = changed.slice(start, start + findingsPerStep);
    const entries = await findEntries(tx, step);
    await announce(
      tx,
      now,
      step.map(({ organizationId, id, type }) => ({
        organizationId,
        type,
        subject: `security-findings/${id}`,
        data: JSON.parse(entries.get(`${organizationId}/${id}`)!) as object,
      })),
    );
  }
}
