import type { Tx } from '../../db/database.ts';
import type { OrganizationId } from '../../lib/ids.ts';
import { type AuditChange, type AuditOrigin, recordChanges } from '../audit-log/record-changes.ts';
import { announce, isAnyoneListening } from '../webhooks/announce.ts';
import type { Announcement, AnnouncementType } from '../webhooks/announcement.ts';
import { exportBody, exportJoins, readExported } from './export/export-rows.ts';

/** The announcement for a change; undefined for most changes. */
function announcedAs({ action, metadata }: AuditChange): AnnouncementType | undefined {
  if (action === 'learning.approved' || action === 'learning.disapproved') return 'postil.learning.decided';
  return action === 'learning.captured' && metadata?.approval === 'pending'
    ? 'postil.learning.pending'
    : undefined;
}

interface AnnouncedRow {
  organization_id: OrganizationId;
  id: string;
  body: string;
  approval_deadline: Date | null;
}

async function findAnnounced(tx: Tx, changes: readonly AuditChange[]): Promise<Map<string, AnnouncedRow>> {
  const rows = await tx<AnnouncedRow[]>`
    SELECT l.organization_id, l.id, ${exportBody(tx)} AS body, l.approval_deadline
    FROM unnest(${changes.map(({ organizationId }) => organizationId!)}::uuid[], ${changes.map(({ resourceId }) => resourceId)}::uuid[])
      AS k (organization_id, id)
    JOIN learnings l ON l.organization_id = k.organization_id AND l.id = k.id ${exportJoins(tx)}`;
  return new Map(rows.map((row) => [`${row.organization_id}/${row.id}`, row]));
}

function announcementOf(
  { organizationId, resourceId, action, metadata }: AuditChange,
  type: AnnouncementType,
  { body, approval_deadline }: AnnouncedRow,
  { actor }: AuditOrigin,
): Announcement {
  const learning = readExported(body);
  const data =
    type === 'postil.learning.pending'
      ? { ...learning, approval_deadline: approval_deadline!.toISOString() }
      : {
          ...learning,
          decision: action === 'learning.approved' ? 'approved' : 'disapproved',
          decided_by: metadata?.automatic === true ? null : actor.name,
        };
  return { organizationId: organizationId!, type, subject: `learnings/${resourceId}`, data };
}

async function announceLearnings(
  tx: Tx,
  origin: AuditOrigin,
  changes: readonly AuditChange[],
): Promise<void> {
  const announced = changes.flatMap((change) => {
    const type = announcedAs(change);
    return type === undefined ? [] : [{ change, type }];
  });
  const organizationIds = announced.map(({ change }) => change.organizationId!);
  const types = announced.map(({ type }) => type);
  if (!(await isAnyoneListening(tx, organizationIds, types))) return;
  const rows = await findAnnounced(
    tx,
    announced.map(({ change }) => change),
  );
  await announce(
    tx,
    origin.now,
    announced.map(({ change, type }) =>
      announcementOf(change, type, rows.get(`${change.organizationId}/${change.resourceId}`)!, origin),
    ),
  );
}

/** Writes the audit entries for changes of Learnings in this transaction, and announces those that wait for approval or were decided. */
export async function recordLearningChanges(
  tx: Tx,
  origin: AuditOrigin,
  changes: readonly AuditChange[],
): Promise<void> {
  await announceLearnings(tx, origin, changes);
  // Last, because it confirms the caller's rights.
  await recordChanges(tx, origin, changes);
}
