import type { Attempt } from '../../../../work/unit-of-work.ts';
import { type HostDeps, withHost } from '../../../connections/open-host.ts';
import { findServingConnection } from '../../../connections/reading/serving-connection.ts';
import type { FixKey } from '../../runs/fix-record.ts';
import { findFix } from '../../runs/fix-store.ts';
import type { CommitDeps } from '../running/base-configuration.ts';
import { commitSuggestions } from './commit-suggestions.ts';
import { fixRefusals } from './fix-refusals.ts';
import { settleFix } from './settle-fix.ts';

/** Carries out a request to commit suggestions. Can be interrupted anywhere and called again. */
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
    return settleFix(
      deps.database,
      fix,
      { state: 'refused', reason: fixRefusals.off },
      { now: deps.clock() },
    );
  const end = await withHost(deps, served.connection.id, (host) =>
    commitSuggestions(deps, fix, { host, served, signal }),
  );
  const { providerRepositoryId } = served.repository;
  await settleFix(deps.database, fix, end, { now: deps.clock(), providerRepositoryId });
}

/** Ends a request after the last attempt: the host was unavailable for too long. */
export async function giveUpFix(
  { database, clock }: Pick<HostDeps, 'database' | 'clock'>,
  key: FixKey,
): Promise<void> {
  const fix = await findFix(database.sql, key);
  if (fix === undefined) return;
  await settleFix(database, fix, { state: 'refused', reason: fixRefusals.away }, { now: clock() });
}
