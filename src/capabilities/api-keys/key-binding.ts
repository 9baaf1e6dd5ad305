import type { Db } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { InstanceId, OrganizationId, PersonId, WorkspaceId } from '../../lib/ids.ts';
import {
  chooseOrganization,
  findOrganization,
  findOwner,
  type InstanceOrganization,
} from './find-by-name.ts';
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

async function bindToOrganization(
  db: Db,
  request: RequestOf<'organization' | 'user' | 'agentic' | 'legacy'>,
): Promise<KeyBinding> {
  const organizationId = await findOrganization(db, request);
  if (request.kind === 'legacy') return { ...emptyBinding, organizationId };
  const ownerUserId = await findOwner(db, [organizationId], request.owner);
  if (ownerUserId === undefined)
    throw new AppError('NOT_FOUND', `owner: ${request.owner} is not an active member of the organization`);
  return { ...emptyBinding, organizationId, ownerUserId };
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
  const all = await db<InstanceOrganization[]>`
    SELECT id, provider_organization_id AS org_id, name FROM organizations WHERE instance_id = ${instance.id}`;
  const chosen =
    request.org_ids == null
      ? null
      : [...new Set(request.org_ids.map((given) => chooseOrganization(all, given, 'org_ids')))];
  const covered = chosen ?? all;
  const ownerUserId = await findOwner(
    db,
    covered.map(({ id }) => id),
    request.owner,
  );
  if (ownerUserId === undefined)
    throw new AppError(
      'NOT_FOUND',
      `owner: ${request.owner} is not an active member of any organization covered by the key`,
    );
  return {
    ...emptyBinding,
    instanceId: instance.id,
    ownerUserId,
    organizationIds: chosen?.map(({ id }) => id) ?? null,
    homeOrganizationId:
      request.home_org_id == null ? null : chooseOrganization(covered, request.home_org_id, 'home_org_id').id,
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
