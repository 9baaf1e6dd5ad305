import type { OrganizationId } from '../../lib/ids.ts';
import type { AuditChange } from '../audit-log/record-changes.ts';

/** The audit entry of a source in each of its organizations; none of them learns about the others. */
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
