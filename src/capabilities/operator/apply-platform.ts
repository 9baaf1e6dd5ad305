import { type Actor, systemActor } from '../../access/actor.ts';
import type { Database, Tx } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { OrganizationId, PersonId, WorkspaceId } from '../../lib/ids.ts';
import { FaultList } from '../../lib/wire/faults.ts';
import { endAccessWithoutRole } from '../dashboard-session/accounts/end-access.ts';
import { assignGroupRoles } from '../people/accounts/assign-group-roles.ts';
import { suspendOrResume } from '../people/accounts/suspend-or-resume.ts';
import { recordMemberChanges } from '../people/record-member-changes.ts';
import { lockSeatPools } from '../people/seats/seat-pool.ts';
import { applyInstances } from './apply-instances.ts';
import { applyMembers } from './apply-members.ts';
import { applyOrganizations } from './apply-organizations.ts';
import { applyRepositories } from './apply-repositories.ts';
import type { ApplyRun } from './apply-run.ts';
import { applyWorkspaces } from './apply-workspaces.ts';
import { countOutcomes } from './merge-row.ts';
import type { PlatformDocument, PlatformTallies } from './platform-document.ts';
import { checkSeats } from './seat-check.ts';

function throwFaults({ faults }: ApplyRun): void {
  if (faults.length === 0) return;
  const list = new FaultList();
  for (const fault of faults) list.add(fault);
  throw new AppError('INVALID_REQUEST', list.sentences);
}

/**
 * Locks what the document names, and returns whoever has a role there: nobody else can lose one. Organizations by id, then
 * workspaces by id, before anything is written: the lock order of all seat changes (ADR 0030).
 */
async function lockReferenced(tx: Tx, document: PlatformDocument): Promise<PersonId[]> {
  const organizations = document.organizations ?? [];
  const orgIds = organizations.map((organization) => organization.provider_organization_id);
  const slugs = [
    ...(document.workspaces ?? []).map(({ slug }) => slug),
    ...organizations.flatMap(({ workspace }) => workspace ?? []),
  ];
  const locked = await tx<{ id: OrganizationId; workspace_id: WorkspaceId | null }[]>`
    SELECT id, workspace_id FROM organizations
    WHERE provider_organization_id = ANY(${orgIds}::text[]) ORDER BY id FOR NO KEY UPDATE`;
  const workspaces = await tx<{ id: WorkspaceId }[]>`
    SELECT id FROM workspaces
    WHERE slug = ANY(${slugs}::text[]) OR id = ANY(${locked.flatMap(({ workspace_id }) => workspace_id ?? [])}::uuid[])
    ORDER BY id FOR NO KEY UPDATE`;
  const people = await tx<{ person_id: PersonId }[]>`
    SELECT person_id FROM members
    WHERE organization_id = ANY(${locked.map(({ id }) => id)}::uuid[]) AND active AND person_id IS NOT NULL
    UNION SELECT person_id FROM workspace_admins WHERE workspace_id = ANY(${workspaces.map(({ id }) => id)}::uuid[])`;
  return people.map(({ person_id }) => person_id);
}

/** Applies the document to the platform in one transaction, or changes nothing and reports every fault. */
export async function applyPlatform(
  { database }: { database: Database },
  document: PlatformDocument,
  origin: { now: Date; requestId: string; ipAddress: string | null; actor?: Actor },
): Promise<PlatformTallies> {
  return database.transaction(async (tx) => {
    // Serializes documents; readers and other writers are not blocked.
    await tx`LOCK TABLE workspaces IN SHARE ROW EXCLUSIVE MODE`;
    const run: ApplyRun = {
      tx,
      now: origin.now,
      faults: [],
      changes: [],
      outcomes: { workspaces: [], instances: [], organizations: [], repositories: [], members: [] },
    };
    const people = await lockReferenced(tx, document);
    await applyWorkspaces(run, document.workspaces ?? []);
    await applyInstances(run, document.instances ?? []);
    const organizations = await applyOrganizations(run, document.organizations ?? []);
    await applyRepositories(run, organizations);
    // Locked before the members, as in all seat changes.
    const pools = await lockSeatPools(
      tx,
      organizations.filter(({ document }) => document.members !== undefined).map(({ id }) => id),
    );
    const seated = await applyMembers(run, organizations);
    throwFaults(run);
    await checkSeats(run, seated, pools);
    throwFaults(run);
    // An organization may have joined a workspace whose identity provider knows some of its people.
    const organizationIds = organizations.map(({ id }) => id);
    run.changes.push(...(await suspendOrResume(tx, organizationIds)));
    run.changes.push(...(await assignGroupRoles(tx, organizationIds)));
    await endAccessWithoutRole(tx, people);
    await recordMemberChanges(tx, { actor: systemActor, ...origin }, run.changes);
    return {
      workspaces: countOutcomes(run.outcomes.workspaces),
      instances: countOutcomes(run.outcomes.instances),
      organizations: countOutcomes(run.outcomes.organizations),
      repositories: countOutcomes(run.outcomes.repositories),
      members: countOutcomes(run.outcomes.members),
    };
  });
}
