import type { OrganizationId } from '../../lib/ids.ts';
import type { AuditChange } from '../audit-log/record-changes.ts';

/** What the audit log of every organization of a source keeps of it; none of them learns of the others. */
export function sourceChangeEntries(
  verb: 'created' | 'deleted',
  { id, name, types }: { readonly id: string; readonly name: string; readonly types: readonly string[] },
  organizationIds: readonly OrganizationId[],
): AuditChange[] {
  return organizationIds.map((organizationId) => ({
    organizationId,
    action: `event_source.${verb}`,
    resourceType: 'event_source',
    resourceId: id,
    resourceSummary: name,
    metadata: { types },
  }));
}
