import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import { recordChanges } from '../../audit-log/record-changes.ts';
import { storeDismissals } from './dismissal-store.ts';

/** Dismisses one finding for the person who decided it; it stays dismissed however often scans report it. */
export async function dismissFinding(
  { database }: { database: Database },
  context: CallerContext,
  findingId: string,
  reason: string,
): Promise<void> {
  const organizationId = onlyOrganization(context.scope).organization.id;
  await database.transaction(async (tx) => {
    const [known] = await tx<{ title: string }[]>`
      SELECT title FROM security_findings
      WHERE organization_id = ${organizationId} AND id = ${findingId} AND state IS NOT NULL FOR NO KEY UPDATE`;
    if (known === undefined) throw new AppError('NOT_FOUND', 'There is no such finding');
    const by = context.actor.name;
    const changed = await storeDismissals(tx, [
      { organizationId, findingId, dismissedAt: context.now, reason, by },
    ]);
    if (changed.length === 0) throw new AppError('CONFLICT', 'A newer dismissal of this finding is stored');
    await recordChanges(tx, context, [
      {
        organizationId,
        action: 'security_finding.dismissed',
        resourceType: 'security_finding',
        resourceId: findingId,
        resourceSummary: known.title,
        metadata: { reason, by },
      },
    ]);
  });
}
