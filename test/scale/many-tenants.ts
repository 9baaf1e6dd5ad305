import type { Db, Fragment } from '../../src/db/database.ts';
import type { OrganizationId, PersonId, WorkspaceId } from '../../src/lib/ids.ts';
import { newUuid } from '../../src/lib/uuid.ts';

/** Enough that reading all of them is never the cheapest plan for one. */
const tenants = 3_000;

/** One among many tenants: a workspace with one organization, in which one person is an admin with a key. */
export interface Tenant {
  readonly workspaceId: WorkspaceId;
  readonly organizationId: OrganizationId;
  readonly workspaceSlug: string;
  readonly orgId: string;
  readonly personId: PersonId;
  /** Another organization, with all other people as members. */
  readonly crowdedId: OrganizationId;
}

/** Adds a Learning to each of these organizations; the tenant in the middle has many. */
async function addLearnings(db: Db, organizations: Fragment): Promise<void> {
  await db`
    INSERT INTO learnings (organization_id, id, repository_id, learning, content_hash, author_id, origin, visibility, pull_requests,
      approval, redactor_version, created_at, updated_at, usage_count, index_due_at, index_version)
    SELECT id, gen_random_uuid(), id, 'text', uuid_send(gen_random_uuid()), 'u' || place, 'api', 'shared', '{}', 'approved', 1,
      now() + place * interval '1 second', now(), 0, now(), 1 FROM ${organizations}`;
}

/** Makes everybody except one person a member of this tenant; some of them are in groups of its identity provider. */
async function addMembers(db: Db, id: string, but: string): Promise<void> {
  await db`
    INSERT INTO members (organization_id, provider_user_id, person_id, username, role, seat, bot, active, created_at)
    SELECT ${id}, 'also-' || id, id, 'user', 'cr_member', false, false, true, now() FROM people WHERE id <> ${but}`;
  await db`
    INSERT INTO scim_users SELECT ${id}, id, id, email, NULL, true, false, '{}', now(), now() FROM people WHERE id NOT IN (${id}, ${but})`;
  await db`
    INSERT INTO scim_groups SELECT ${id}, gen_random_uuid(), 'Group ' || n, NULL, now(), now() FROM generate_series(1, 50) AS n`;
  await db`
    INSERT INTO scim_group_members
    SELECT ${id}, g.id, u.id FROM (SELECT id, row_number() OVER () AS n FROM scim_groups) AS g
    JOIN (SELECT id, row_number() OVER () AS n FROM scim_users WHERE workspace_id = ${id}) AS u ON u.n <= 1000 AND u.n % 50 = g.n - 1`;
}

/** Fills the tables that grow with the number of tenants, and returns the tenant in the middle. */
export async function fillTenants(db: Db): Promise<Tenant> {
  const ids = Array.from({ length: tenants }, () => newUuid());
  const n = db`unnest(${ids}::uuid[]) WITH ORDINALITY AS n (id, place)`;
  await db`INSERT INTO workspaces SELECT id, 'ws-' || place, 'Workspace', true, now() FROM ${n}`;
  await db`
    INSERT INTO organizations SELECT id, 'github', 'o' || place, NULL, id, 'Organization', true, 'enterprise', 'active', 10, 'manual', 'available',
      false, 0, now() FROM ${n}`;
  await db`INSERT INTO people SELECT id, 'p' || place || '@example.com', now() FROM ${n}`;
  await db`
    INSERT INTO members (organization_id, provider_user_id, person_id, username, role, seat, bot, active, created_at)
    SELECT id, 'u' || place, id, 'user', 'cr_admin', false, false, true, now() FROM ${n}`;
  await db`INSERT INTO workspace_admins (workspace_id, person_id) SELECT id, id FROM ${n}`;
  await db`
    INSERT INTO scim_users SELECT id, id, id, 'p' || place || '@example.com', NULL, true, false, '{}', now(), now() FROM ${n}`;
  await db`INSERT INTO dashboard_accounts SELECT id, NULL, false, NULL, now() FROM ${n}`;
  await db`INSERT INTO dashboard_sessions SELECT uuid_send(id), id, now(), now(), now() + interval '1 day' FROM ${n}`;
  await db`
    INSERT INTO dashboard_invitations SELECT uuid_send(id), 'p' || place || '@example.com', false, now() + interval '1 day', now() FROM ${n}`;
  await db`
    INSERT INTO api_keys (id, kind, name, value_hash, workspace_id, owner_person_id, every_organization, expires_at, created_at)
    SELECT id, 'workspace', 'Token', uuid_send(id), id, id, true, now() + interval '1 day', now() FROM ${n}`;
  await db`INSERT INTO sealed_secrets SELECT id, 'webhook', 'key', uuid_send(id) FROM ${n}`;
  await db`
    INSERT INTO webhooks (organization_id, id, url, types, active, secret_id, created_at)
    SELECT id, id, 'https://hooks.example/', '{}', true, id, now() FROM ${n}`;
  await db`INSERT INTO former_signing_secrets SELECT id, id, id, now() + interval '1 day' FROM ${n}`;
  await db`
    INSERT INTO repositories (organization_id, id, provider_repository_id, name, active, private, readers_restricted, created_at)
    SELECT id, id, 'r' || place, 'repository', true, false, false, now() FROM ${n}`;
  await db`INSERT INTO audit_chains SELECT id, 0, '' FROM ${n}`;
  const middle = tenants / 2;
  const id = ids[middle]!;
  await addLearnings(db, n);
  await addLearnings(
    db,
    db`(SELECT ${id}::uuid, place FROM generate_series(1, ${tenants}::int) AS place) AS n (id, place)`,
  );
  const crowdedId = ids[0]!;
  await addMembers(db, crowdedId, id);
  await db`ANALYZE`;
  return {
    workspaceId: id as WorkspaceId,
    organizationId: id as OrganizationId,
    personId: id as PersonId,
    workspaceSlug: `ws-${middle + 1}`,
    orgId: `o${middle + 1}`,
    crowdedId: crowdedId as OrganizationId,
  };
}
