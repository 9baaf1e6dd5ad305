import type { Attempt } from '../../../../work/unit-of-work.ts';
import { type AuditChange, recordChanges } from '../../../audit-log/record-changes.ts';
import { type HostDeps, withHost } from '../../../connections/open-host.ts';
import { findServingConnection } from '../../../connections/reading/serving-connection.ts';
import { findReviewed } from '../find-reviewed.ts';
import type { CommitDeps } from '../running/base-configuration.ts';
import { commitSuggestions, type FixEnd } from './commit-suggestions.ts';
import type { Fix, FixKey } from './fix-record.ts';
import { fixRefusals } from './fix-refusals.ts';
import { endFix, findFix } from './fix-store.ts';

/** The audit entry for a commit of suggestions. */
export function changeOfFix(
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

/** Does what was asked for a run; it may be broken off anywhere and run again. */
export async function carryOutFix(
  deps: CommitDeps & HostDeps,
  key: FixKey,
  { signal }: Pick<Attempt, 'signal'>,
): Promise<void> {
  const { sql } = deps.database;
  const fix = await findFix(sql, key);
  if (fix?.state !== 'waiting') return;
  const served = await findServingConnection(sql, key.organizationId, key.repositoryId);
  if (served === undefined || served.connection.review === 'off')
    return settle(deps, key, { state: 'refused', reason: fixRefusals.off });
  const end = await withHost(deps, served.connection.id, (host) =>
    commitSuggestions(deps, fix, { host, served, signal }),
  );
  await settle(deps, key, end, served.repository.providerRepositoryId);
}

/** The host was away for too long. */
export async function giveUpFix(deps: Pick<HostDeps, 'database' | 'clock'>, key: FixKey): Promise<void> {
  await settle(deps, key, { state: 'refused', reason: fixRefusals.away });
}

async function settle(
  { database, clock }: Pick<HostDeps, 'database' | 'clock'>,
  key: FixKey,
  end: FixEnd,
  providerRepositoryId = '',
): Promise<void> {
  const now = clock();
  await database.transaction(async (tx) => {
    if (!(await endFix(tx, key, end, now)) || end.state === 'refused') return;
    const fix = (await findFix(tx, key))!;
    const { url } = (await findReviewed(tx, key))!;
    await recordChanges(tx, { actor: fix.actor, now }, [changeOfFix(fix, { providerRepositoryId, url })]);
  });
}
