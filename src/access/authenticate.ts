import type { Db } from '../db/database.ts';
import { AppError } from '../lib/app-error.ts';
import type { InstanceId, OrganizationId, PersonId, ProviderUserId, WorkspaceId } from '../lib/ids.ts';
import { hashKeyValue, isKeyValue, type KeyKind } from './api-key-value.ts';
import {
  type MemberRow,
  memberColumns,
  type OrganizationRow,
  organizationColumns,
  organizationOf,
  rightsOfMember,
} from './organization-rows.ts';
import { noRights } from './permissions.ts';
import type { BoundPrincipal, InstancePrincipal, Principal, WorkspacePrincipal } from './principal.ts';

interface KeyRow extends Partial<OrganizationRow>, MemberRow {
  id: string;
  kind: KeyKind;
  name: string;
  expires_at: Date | null;
  every_organization: boolean;
  home_organization_id: OrganizationId | null;
  owner_user_id: ProviderUserId | null;
  person_id: PersonId | null;
  email: string | null;
  username: string | null;
  bot: boolean | null;
  organization_active: boolean | null;
  key_workspace_id: WorkspaceId | null;
  workspace_slug: string | null;
  workspace_name: string | null;
  workspace_active: boolean | null;
  owner_is_workspace_admin: boolean;
  key_instance_id: InstanceId | null;
  instance_slug: string | null;
  instance_account: { username: string; bot: boolean; person_id: PersonId | null } | null;
}

// One statement, by the unique hash: nothing is cached, so a revoked key or a demoted owner counts at once on every node.
async function findKey(db: Db, value: string, now: Date): Promise<KeyRow | undefined> {
  const [row] = await db<KeyRow[]>`
    SELECT k.id, k.kind, k.name, k.expires_at, k.every_organization, k.home_organization_id, k.owner_user_id,
      coalesce(m.person_id, k.owner_person_id) AS person_id, p.email, m.username, m.bot,
      ${organizationColumns(db)}, o.active AS organization_active, ${memberColumns(db)},
      w.id AS key_workspace_id, w.slug AS workspace_slug, w.name AS workspace_name, w.active AS workspace_active,
      EXISTS (SELECT 1 FROM workspace_admins a
              WHERE a.workspace_id = k.workspace_id AND a.person_id = k.owner_person_id) AS owner_is_workspace_admin,
      i.id AS key_instance_id, i.slug AS instance_slug,
      (SELECT jsonb_build_object('username', im.username, 'bot', im.bot, 'person_id', im.person_id)
       FROM organizations io JOIN members im ON im.organization_id = io.id LEFT JOIN workspaces iw ON iw.id = io.workspace_id
       WHERE k.kind = 'instance' AND io.instance_id = k.instance_id AND io.active AND iw.active IS NOT FALSE
         AND im.provider_user_id = k.owner_user_id AND im.active
         AND (k.every_organization OR EXISTS (SELECT 1 FROM api_key_organizations ko
              WHERE ko.api_key_id = k.id AND ko.organization_id = io.id))
       ORDER BY io.id = k.home_organization_id DESC NULLS LAST, io.id LIMIT 1) AS instance_account
    FROM api_keys k
    LEFT JOIN organizations o ON o.id = k.organization_id
    LEFT JOIN members m ON m.organization_id = k.organization_id AND m.provider_user_id = k.owner_user_id
    LEFT JOIN roles r ON r.organization_id = m.organization_id AND r.id = m.custom_role_id
    LEFT JOIN people p ON p.id = coalesce(m.person_id, k.owner_person_id)
    LEFT JOIN workspaces w ON w.id = coalesce(k.workspace_id, o.workspace_id)
    LEFT JOIN instances i ON i.id = k.instance_id
    WHERE k.value_hash = ${hashKeyValue(value)} AND k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > ${now})`;
  return row;
}

function boundPrincipal(row: KeyRow, kind: BoundPrincipal['kind']): BoundPrincipal | undefined {
  if (row.organization_active !== true || row.workspace_active === false) return undefined;
  const isLegacy = kind === 'legacy';
  if (!isLegacy && row.member_active !== true) return undefined;
  return {
    kind,
    keyId: row.id,
    keyName: row.name,
    expiresAt: row.expires_at,
    owner: isLegacy
      ? null
      : {
          userId: row.owner_user_id,
          personId: row.person_id,
          name: row.username ?? '',
          email: row.email,
          isBot: row.bot === true,
        },
    access: {
      organization: organizationOf(row as OrganizationRow),
      rights: isLegacy ? noRights : rightsOfMember(row),
    },
  };
}

function workspacePrincipal(row: KeyRow): WorkspacePrincipal | undefined {
  if (row.workspace_active !== true) return undefined;
  return {
    kind: 'workspace',
    keyId: row.id,
    keyName: row.name,
    expiresAt: row.expires_at,
    owner: { userId: null, personId: row.person_id, name: row.email!, email: row.email, isBot: false },
    workspace: { id: row.key_workspace_id!, slug: row.workspace_slug!, name: row.workspace_name! },
    ownerIsAdmin: row.owner_is_workspace_admin,
  };
}

// The owner of an instance key has "left" when no authorized organization of the instance knows the account any more.
function instancePrincipal(row: KeyRow): InstancePrincipal | undefined {
  const account = row.instance_account;
  if (account === null) return undefined;
  return {
    kind: 'instance',
    keyId: row.id,
    keyName: row.name,
    expiresAt: row.expires_at,
    owner: {
      userId: row.owner_user_id,
      personId: account.person_id,
      name: account.username,
      email: null,
      isBot: account.bot,
    },
    instance: { id: row.key_instance_id!, slug: row.instance_slug! },
    everyOrganization: row.every_organization,
    homeOrganizationId: row.home_organization_id,
  };
}

function principalOf(row: KeyRow): Principal | undefined {
  switch (row.kind) {
    case 'workspace':
      return workspacePrincipal(row);
    case 'instance':
      return instancePrincipal(row);
    default:
      return boundPrincipal(row, row.kind);
  }
}

/** Turns the value of a key into its principal with the owner's rights of this moment, or throws UNAUTHORIZED. */
export async function authenticate(db: Db, value: string | undefined, now: Date): Promise<Principal> {
  if (value === undefined || value === '') throw new AppError('UNAUTHORIZED', 'An API key is required');
  if (!isKeyValue(value)) throw new AppError('UNAUTHORIZED', 'The API key is malformed');
  const row = await findKey(db, value, now);
  const principal = row && principalOf(row);
  if (principal === undefined)
    throw new AppError('UNAUTHORIZED', 'The API key is unknown, expired or revoked');
  return principal;
}
