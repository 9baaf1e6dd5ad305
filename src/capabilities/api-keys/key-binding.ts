import type { Db } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { InstanceId, OrganizationId, PersonId, WorkspaceId } from '../../lib/ids.ts';
import type { KeyRequest } from './schemas.ts';

/** What a key is bound to and who owns it, by internal ids. */
export interface KeyBinding {
  readonly organizationId: OrganizationId | null;
  readonly workspaceId: WorkspaceId | null;
  readonly instanceId: InstanceId | null;
  readonly ownerUserId: string | null;
  readonly ownerPersonId: PersonId | null;
  /** The organizations an instance key is limited to; null means all of them, including those added later. */
  readonly organizationIds: readonly OrganizationId[] | null;
  readonly homeOrganizationId: OrganizationId | null;
}

/** A binding to nothing, to be filled in for a kind of key. */
export const emptyBinding: KeyBinding = {
  organizationId: null,
  workspaceId: null,
  instanceId: null,
  ownerUserId: null,
  ownerPersonId: null,
  organizationIds: null,
  homeOrganizationId: null,
};

type RequestOf<Kind extends KeyRequest['kind']> = Extract<KeyRequest, { kind: Kind }>;

/** Ids of organizations are unique on their host only, so one that is elsewhere is easily taken for missing. */
async function explainMissing(
  db: Db,
  { provider, org_id, instance }: RequestOf<'organization' | 'user' | 'agentic' | 'legacy'>,
): Promise<string> {
  const found = await db<{ slug: string | null }[]>`
    SELECT i.slug FROM organizations o LEFT JOIN instances i ON i.id = o.instance_id
    WHERE o.provider = ${provider} AND o.provider_organization_id = ${org_id} ORDER BY i.slug COLLATE "C" LIMIT 10`;
  const missing = 'org_id: there is no such organization';
  if (found.length === 0) return missing;
  const slugs = found.map(({ slug }) => slug ?? 'null, for the public cloud');
  const where = instance == null ? 'on the public cloud' : `on ${instance}`;
  return `${missing} ${where}; instance: must be ${slugs.join(' or ')}`;
}

async function bindToOrganization(
  db: Db,
  request: RequestOf<'organization' | 'user' | 'agentic' | 'legacy'>,
): Promise<KeyBinding> {
  const [row] = await db<{ id: OrganizationId; owner_active: boolean | null }[]>`
    SELECT o.id, (SELECT m.active FROM members m
      WHERE m.organization_id = o.id AND m.provider_user_id = ${request.owner ?? null}) AS owner_active
    FROM organizations o LEFT JOIN instances i ON i.id = o.instance_id
    WHERE o.provider = ${request.provider} AND o.provider_organization_id = ${request.org_id}
      AND i.slug IS NOT DISTINCT FROM ${request.instance ?? null}`;
  if (row === undefined) throw new AppError('NOT_FOUND', await explainMissing(db, request));
  if (request.kind === 'legacy') return { ...emptyBinding, organizationId: row.id };
  if (row.owner_active !== true)
    throw new AppError('NOT_FOUND', 'owner: is not an active member of the organization');
  return { ...emptyBinding, organizationId: row.id, ownerUserId: request.owner };
}

async function bindToWorkspace(db: Db, request: RequestOf<'workspace'>): Promise<KeyBinding> {
  const [row] = await db<{ id: WorkspaceId; person_id: PersonId | null }[]>`
    SELECT w.id, (SELECT p.id FROM workspace_admins a JOIN people p ON p.id = a.person_id
      WHERE a.workspace_id = w.id AND p.email = ${request.owner}) AS person_id
    FROM workspaces w WHERE w.slug = ${request.workspace}`;
  if (row === undefined) throw new AppError('NOT_FOUND', 'workspace: there is no such workspace');
  if (row.person_id === null)
    throw new AppError('INVALID_REQUEST', 'owner: only an admin of the workspace can own a workspace token');
  return { ...emptyBinding, workspaceId: row.id, ownerPersonId: row.person_id };
}

async function bindToInstance(db: Db, request: RequestOf<'instance'>): Promise<KeyBinding> {
  const [instance] = await db<
    { id: InstanceId }[]
  >`SELECT id FROM instances WHERE slug = ${request.instance}`;
  if (instance === undefined) throw new AppError('NOT_FOUND', 'instance: there is no such instance');
  const all = await db<{ id: OrganizationId; org_id: string; has_owner: boolean }[]>`
    SELECT o.id, o.provider_organization_id AS org_id, EXISTS (SELECT 1 FROM members m
      WHERE m.organization_id = o.id AND m.provider_user_id = ${request.owner} AND m.active) AS has_owner
    FROM organizations o WHERE o.instance_id = ${instance.id}`;
  const findOrganization = (
    orgId: string,
    field: string,
    candidates = all as typeof all | (typeof all)[number][],
  ) => {
    const found = candidates.find(({ org_id }) => org_id === orgId);
    if (found === undefined)
      throw new AppError('NOT_FOUND', `${field}: the key's instance has no organization ${orgId}`);
    return found;
  };
  const chosen =
    request.org_ids == null
      ? null
      : [...new Set(request.org_ids)].map((orgId) => findOrganization(orgId, 'org_ids'));
  const covered = chosen ?? all;
  if (!covered.some(({ has_owner }) => has_owner)) {
    throw new AppError('NOT_FOUND', 'owner: is not an active member of any organization covered by the key');
  }
  return {
    ...emptyBinding,
    instanceId: instance.id,
    ownerUserId: request.owner,
    organizationIds: chosen?.map(({ id }) => id) ?? null,
    homeOrganizationId:
      request.home_org_id == null
        ? null
        : findOrganization(request.home_org_id, 'home_org_id', [...covered]).id,
  };
}

/** Resolves what the request refers to, or throws NOT_FOUND for whatever does not exist. */
export async function bindKey(db: Db, request: KeyRequest): Promise<KeyBinding> {
  switch (request.kind) {
    case 'workspace':
      return bindToWorkspace(db, request);
    case 'instance':
      return bindToInstance(db, request);
    default:
      return bindToOrganization(db, request);
  }
}
