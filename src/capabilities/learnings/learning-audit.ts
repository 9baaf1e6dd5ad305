import type { OrganizationId } from '../../lib/ids.ts';
import type { AuditChange } from '../audit-log/record-changes.ts';

export type LearningAction =
  | 'learning.created'
  | 'learning.captured'
  | 'learning.updated'
  | 'learning.deleted'
  | 'learning.shared'
  | 'learning.approved'
  | 'learning.disapproved'
  | 'learning.dropped'
  | 'learning.merged'
  | 'learning.retired'
  | 'learning.restored'
  | 'learning.told_apart';

/** The audit entry of a changed Learning: which one and where, never its text. */
export function learningChange(
  action: LearningAction,
  learning: { readonly organizationId: OrganizationId; readonly id: string; readonly repositoryId: string },
  metadata: Readonly<Record<string, unknown>> = {},
): AuditChange {
  return {
    organizationId: learning.organizationId,
    action,
    resourceType: 'learning',
    resourceId: learning.id,
    resourceSummary: `Learning ${learning.id}`,
    metadata: { repository_id: learning.repositoryId, ...metadata },
  };
}
