import type { Db, Fragment } from '../db/database.ts';
import { AppError } from '../lib/app-error.ts';
import type { OrganizationId, ProviderUserId, WorkspaceId } from '../lib/ids.ts';
import { isUuid } from '../lib/uuid.ts';
import {
  type MemberRow,
  type OrganizationRow,
  organizationColumns,
  organizationOf,
  rightsOfMember,
} from './organization-rows.ts';
import { adminRights } from './permissions.ts';
import type { BoundPrincipal, OrganizationAccess, Principal, WorkspacePrincipal } from './principal.ts';
import type { Session } from './session.ts';

/** The selected scope of a signed-in person: one organization, or a whole workspace. */
export type View =
  | { readonly type: 'organization'; readonly id: OrganizationId }
  | { readonly type: 'workspace'; readonly id: WorkspaceId };

/** Parses `organization:<id>` or `workspace:<id>`. */
export function parseView(text: string | undefined): View {
  const [type, id = '', ...more] = (text ?? '').split(':');
  if ((type === 'organization' || type === 'workspace') && isUuid(id) && more.length === 0)
    return { type, id } as View;
  throw new AppError('INVALID_REQUEST', 'scope: must be organization:<id> or workspace:<id>');
}

/** An organization that a person can see, with their account in it; null if they have none. */
export interface VisibleOrganization extends OrganizationAccess {
  readonly account: { readonly userId: ProviderUserId; readonly username: string } | null;
}

interface VisibleRow extends OrganizationRow, MemberRow {
  provider_user_id: ProviderUserId | null;
  username: string | null;
}

/** Filters the organizations or workspaces that a person can see; without `first`, the number is not limited. */
export interface Wanted<Id> {
  readonly id?: Id;
  readonly workspaceId?: WorkspaceId;
  /** Part of the name, case-insensitive. */
  readonly search?: string;
  /** The maximum number of results, in the order of their names. */
  readonly first?: number;
}

/** Restricts the query to wanted organizations that can be visible at all, so that others need not be read and then discarded. */
function amongVisible(db: Db, session: Session, { id, workspaceId }: Wanted<OrganizationId>) {
  if (id !== undefined) return db`AND o.id = ${id}`;
  if (workspaceId !== undefined) return db`AND o.workspace_id = ${workspaceId}`;
  if (session.isInstallationAdmin) return db``;
  return db`AND o.id IN (
    SELECT organization_id FROM members WHERE person_id = ${session.personId} AND active
    UNION SELECT x.id FROM workspace_admins y JOIN organizations x ON x.workspace_id = y.workspace_id
    WHERE y.person_id = ${session.personId})`;
}

const named = (db: Db, name: Fragment, search: string | undefined) =>
  search === undefined ? db`` : db`AND strpos(lower(${name}), lower(${search})) > 0`;

const atMost = (db: Db, first: number | undefined) => (first === undefined ? db`` : db`LIMIT ${first}`);

/** The active organizations that a person can see, ordered by name, each with their current rights. */
export async function organizationsOfSession(
  db: Db,
  session: Session,
  wanted: Wanted<OrganizationId>,
): Promise<VisibleOrganization[]> {
  const rows = await db<VisibleRow[]>`
    SELECT ${db.unsafe(organizationColumns)}, m.provider_user_id, m.username, m.active AS member_active, m.role,
      r.permissions AS custom_permissions, a.person_id IS NOT NULL AS is_workspace_admin
    FROM organizations o
    LEFT JOIN workspaces w ON w.id = o.workspace_id
    LEFT JOIN workspace_admins a ON a.workspace_id = o.workspace_id AND a.person_id = ${session.personId}
    LEFT JOIN (
      SELECT DISTINCT ON (own.organization_id) * FROM members own
      WHERE own.person_id = ${session.personId} AND own.active AND NOT own.bot
      ORDER BY own.organization_id, own.role = 'cr_admin' DESC NULLS LAST, own.provider_user_id) m ON m.organization_id = o.id
    LEFT JOIN roles r ON r.organization_id = m.organization_id AND r.id = m.custom_role_id
    WHERE o.active AND w.active IS NOT FALSE ${amongVisible(db, session, wanted)} ${named(db, db`o.name`, wanted.search)}
      AND (${session.isInstallationAdmin} OR m.provider_user_id IS NOT NULL OR a.person_id IS NOT NULL)
    ORDER BY o.name COLLATE "C", o.id ${atMost(db, wanted.first)}`;
  return rows.map((row) => ({
    organization: organizationOf(row),
    rights: session.isInstallationAdmin || row.is_workspace_admin ? adminRights : rightsOfMember(row),
    account: row.provider_user_id && { userId: row.provider_user_id, username: row.username! },
  }));
}

export interface VisibleWorkspace {
  readonly id: WorkspaceId;
  readonly slug: string;
  readonly name: string;
  /** Whether the person is an admin of the workspace, and can therefore own its tokens. */
  readonly isOwnAdmin: boolean;
}

/** The active workspaces that a person administers, ordered by name; all of them for an installation admin. */
export async function workspacesOfSession(
  db: Db,
  session: Session,
  { id, search, first }: Omit<Wanted<WorkspaceId>, 'workspaceId'>,
): Promise<VisibleWorkspace[]> {
  const rows = await db<{ id: WorkspaceId; slug: string; name: string; is_own_admin: boolean }[]>`
    SELECT w.id, w.slug, w.name, a.person_id IS NOT NULL AS is_own_admin
    FROM workspaces w ${session.isInstallationAdmin ? db`LEFT` : db``} JOIN workspace_admins a
      ON a.workspace_id = w.id AND a.person_id = ${session.personId}
    WHERE w.active ${id === undefined ? db`` : db`AND w.id = ${id}`} ${named(db, db`w.name`, search)}
    ORDER BY w.name COLLATE "C", w.id ${atMost(db, first)}`;
  return rows.map(({ is_own_admin, ...workspace }) => ({ ...workspace, isOwnAdmin: is_own_admin }));
}

// A session is not a key and has no key id or name; the audit log shows "Dashboard" instead.
const sessionFacts = {
  keyId: '00000000-0000-0000-0000-000000000000',
  keyName: 'Dashboard',
  expiresAt: null,
};

/** Whether the caller uses the dashboard rather than a key. */
export function isSession({ keyId }: Principal): boolean {
  return keyId === sessionFacts.keyId;
}

const notVisible = () => new AppError('ORGANIZATION_NOT_FOUND', 'No such organization or workspace');

async function inOrganization(db: Db, session: Session, id: OrganizationId): Promise<BoundPrincipal> {
  const [access] = await organizationsOfSession(db, session, { id });
  if (access === undefined) throw notVisible();
  return {
    ...sessionFacts,
    kind: 'user',
    owner: {
      userId: access.account?.userId ?? null,
      personId: session.personId,
      name: access.account?.username ?? session.email,
      email: session.email,
      isBot: false,
    },
    access: { organization: access.organization, rights: access.rights },
  };
}

async function inWorkspace(db: Db, session: Session, id: WorkspaceId): Promise<WorkspacePrincipal> {
  const [workspace] = await workspacesOfSession(db, session, { id });
  if (workspace === undefined) throw notVisible();
  return {
    ...sessionFacts,
    kind: 'workspace',
    owner: {
      userId: null,
      personId: session.personId,
      name: session.email,
      email: session.email,
      isBot: false,
    },
    workspace: { id: workspace.id, slug: workspace.slug, name: workspace.name },
    ownerIsAdmin: true,
  };
}

/**
 * The principal of a signed-in person: in an organization the same as for their own user key, in a workspace the same as for
 * their workspace token (ADR 0050). Throws ORGANIZATION_NOT_FOUND for a view that they cannot see.
 */
export async function principalOfSession(db: Db, session: Session, view: View): Promise<Principal> {
  return view.type === 'organization'
    ? inOrganization(db, session, view.id)
    : inWorkspace(db, session, view.id);
}
