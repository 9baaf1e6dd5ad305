import type { Database } from '../../../../db/database.ts';
import { type AuditChange, recordChanges } from '../../../audit-log/record-changes.ts';
import type { Fix } from '../../runs/fix-record.ts';
import { endFix, findFix, isCommitOfAnother } from '../../runs/fix-store.ts';
import { findReviewed } from '../find-reviewed.ts';
import { lockRunWithPull } from '../run-with-pull.ts';
import type { FixEnd } from './commit-suggestions.ts';

/** The audit entry for a commit of suggestions. */
function changeOfFix(
  { organizationId, number, commit, findingIds }: Fix,
  pull: { readonly providerRepositoryId: string; readonly url: string },
): AuditChange {
  return {
    organizationId,
    action: 'pull_request.suggestions_committed',
    resourceType: 'pull_request',
    resourceId: `${pull.providerRepositoryId}/${number}`,
    resourceSummary: pull.url,
    metadata: { commit, finding_ids: findingIds },
  };
}

/**
 * Ends a waiting request. A commit is audited once, however many people asked for it: in the name of the one whose request
 * ends first.
 */
export async function settleFix(
  database: Database,
  fix: Fix,
  end: FixEnd,
  { now, providerRepositoryId = '' }: { readonly now: Date; readonly providerRepositoryId?: string },
): Promise<void> {
  await database.transaction(async (tx) => {
    // Serializes the requests about a run.
    await lockRunWithPull(tx, fix);
    if (!(await endFix(tx, fix, end, now)) || end.state === 'refused') return;
    const ended = (await findFix(tx, fix))!;
    if (await isCommitOfAnother(tx, ended)) return;
    const { url } = (await findReviewed(tx, fix))!;
    await recordChanges(tx, { actor: fix.actor, now }, [changeOfFix(ended, { providerRepositoryId, url })]);
  });
}
