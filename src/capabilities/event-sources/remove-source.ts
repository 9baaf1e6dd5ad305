import type { Database } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { OrganizationId } from '../../lib/ids.ts';
import { type AuditOrigin, recordChanges } from '../audit-log/record-changes.ts';
import { sourceChangeEntries } from './source-audit.ts';

/** Removes a source on every node immediately: events that are not stored by then never will be. */
export async function removeSource(
  { database }: { database: Database },
  id: string,
  origin: AuditOrigin,
): Promise<void> {
  await database.transaction(async (tx) => {
    const [source] = await tx<{ name: string; types: string[]; organization_ids: OrganizationId[] }[]>`
      SELECT name, types, ARRAY(
        SELECT organization_id FROM event_source_organizations WHERE event_source_id = s.id) AS organization_ids
      FROM event_sources s WHERE id = ${id} FOR UPDATE`;
    if (source === undefined) throw new AppError('NOT_FOUND', 'No such event source');
    await tx`DELETE FROM event_sources WHERE id = ${id}`;
    await recordChanges(
      tx,
      origin,
      sourceChangeEntries('deleted', { id, ...source }, source.organization_ids),
    );
  });
}
