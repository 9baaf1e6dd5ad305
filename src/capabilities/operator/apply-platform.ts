import { type Actor, systemActor } from '../../access/actor.ts';
import type { Database, Tx } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { FaultList } from '../../lib/wire/faults.ts';
import { recordChanges } from '../audit-log/record-changes.ts';
import { endAccessWithoutRole } from '../dashboard-session/accounts/end-access.ts';
import { lockSeatPools } from '../people/seat-pool.ts';
import { applyInstances } from './apply-instances.ts';
import { applyMembers } from './apply-members.ts';
import { applyOrganizations } from './apply-organizations.ts';
import { applyRepositories } from './apply-repositories.ts';
import type { ApplyRun } from './apply-run.ts';
import { applyWorkspaces } from './apply-workspaces.ts';
import { tallyOf } from './merge-row.ts';
import type { PlatformDocument, PlatformTallies } from './platform-document.ts';
import { checkSeats } from './seat-check.ts';

function throwFaults({ faults }: ApplyRun): void {
  if (faults.length === 0) return;
  const told = new FaultList();
  for (const fault of faults) told.add(fault);
  throw new AppError('INVALID_REQUEST', told.sentences);
}

// Organizations by id, then workspaces by id, before anything is written: the order of everybody who changes seats.
async function lockNamed(tx: Tx, document: PlatformDocument): Promise<void> {
  const organizations = document.organizations ?? [];
  const orgIds = organizations.map((organization) => organization.provider_organization_id);
  const slugs = [
    ...(document.workspaces ?? []).map(({ slug }) => slug),
    ...organizations.flatMap(({ workspace }) => workspace ?? []),
  ];
  const held = await tx<{ workspace_id: string | null }[]>`
    SELECT workspace_id FROM organizations
    WHERE provider_organization_id = ANY(${orgIds}::text[]) ORDER BY id FOR NO KEY UPDATE`;
  await tx`
    SELECT FROM workspaces
    WHERE slug = ANY(${slugs}::text[]) OR id = ANY(${held.flatMap(({ workspace_id }) => workspace_id ?? [])}::uuid[])
    ORDER BY id FOR NO KEY UPDATE`;
}

/** Makes the platform agree with the document in one transaction, or changes nothing and tells every fault. */
export async function applyPlatform(
  { database }: { database: Database },
  document: PlatformDocument,
  origin: { now: Date; requestId: string; ipAddress: string | null; actor?: Actor },
): Promise<PlatformTallies> {
  return database.transaction(async (tx) => {
    // Documents are merged one after the other; readers and other writers are not held up.
    await tx`LOCK TABLE workspaces IN SHARE ROW EXCLUSIVE MODE`;
    const run: ApplyRun = {
      tx,
      now: origin.now,
      faults: [],
      changes: [],
      outcomes: { workspaces: [], instances: [], organizations: [], repositories: [], members: [] },
    };
    await lockNamed(tx, document);
    await applyWorkspaces(run, document.workspaces ?? []);
    await applyInstances(run, document.instances ?? []);
    const organizations = await applyOrganizations(run, document.organizations ?? []);
    await applyRepositories(run, organizations);
    // Before the members, as everybody who changes seats does.
    const pools = await lockSeatPools(
      tx,
      organizations.filter(({ document }) => document.members !== undefined).map(({ id }) => id),
    );
    const seated = await applyMembers(run, organizations);
    throwFaults(run);
    await checkSeats(run, seated, pools);
    throwFaults(run);
    await endAccessWithoutRole(tx);
    await recordChanges(tx, { actor: systemActor, ...origin }, run.changes);
    return {
      workspaces: tallyOf(run.outcomes.workspaces),
      instances: tallyOf(run.outcomes.instances),
      organizations: tallyOf(run.outcomes.organizations),
      repositories: tallyOf(run.outcomes.repositories),
      members: tallyOf(run.outcomes.members),
    };
  });
}
