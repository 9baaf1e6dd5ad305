import type { Db, Fragment } from '../db/database.ts';
import { arrayLiteral } from '../db/driver/array-literal.ts';
import { AppError } from '../lib/app-error.ts';
import type { InstanceId, OrganizationId, PersonId, ProviderUserId, WorkspaceId } from '../lib/ids.ts';
import { hashKeyValue, isKeyValue, type KeyKind, kindOfKeyValue } from './api-key-value.ts';
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
import type { Charge, RateLimit, RateLimitDecision, RateLimiter, SpentRow } from './rate-limit.ts';

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
  key_workspace_id: WorkspaceId | null;
  workspace_slug: string | null;
  workspace_name: string | null;
  owner_is_workspace_admin: boolean;
  key_instance_id: InstanceId | null;
  instance_slug: string | null;
  /** Null, like all of a SpentRow, if nothing was spent. */
  last_admitted: boolean | null;
}

/** What is known about the key value sent with a request. */
interface KeyValue {
  readonly kind: KeyKind;
  readonly hash: Buffer;
}

/** The owner's account in the first authorized organization, the home organization if possible; none once the owner has left all of them. */
function accountInInstance(db: Db): Fragment {
  return db`
    SELECT im.username, im.bot, im.person_id
    FROM organizations io JOIN members im ON im.organization_id = io.id LEFT JOIN workspaces iw ON iw.id = io.workspace_id
    WHERE io.instance_id = k.instance_id AND io.active AND iw.active IS NOT FALSE
      AND im.provider_user_id = k.owner_user_id AND im.active
      AND (k.every_organization OR EXISTS (SELECT 1 FROM api_key_organizations ko
           WHERE ko.api_key_id = k.id AND ko.organization_id = io.id))
    ORDER BY io.id = k.home_organization_id DESC NULLS LAST, io.id LIMIT 1`;
}

function noAccount(db: Db): Fragment {
  return db`SELECT NULL AS username, NULL::boolean AS bot, NULL::uuid AS person_id`;
}

/**
 * A valid key, by the unique hash of its value: not revoked, not expired, and owned by somebody who has not left. Nothing
 * is cached, so revoking a key or demoting its owner takes effect immediately on every node.
 */
function validKey(db: Db, { kind, hash }: KeyValue, now: Date): Fragment {
  // Most keys are of another kind, and looking up the account is a sixth of the cost of the statement.
  const account = kind === 'instance' ? accountInInstance(db) : noAccount(db);
  return db`
    SELECT k.id, k.kind, k.name, k.expires_at, k.every_organization, k.home_organization_id, k.owner_user_id,
      coalesce(m.person_id, account.person_id, k.owner_person_id) AS person_id, p.email,
      coalesce(m.username, account.username) AS username, coalesce(m.bot, account.bot) AS bot,
      ${organizationColumns(db)}, ${memberColumns(db)},
      w.id AS key_workspace_id, w.slug AS workspace_slug, w.name AS workspace_name,
      EXISTS (SELECT 1 FROM workspace_admins a
              WHERE a.workspace_id = k.workspace_id AND a.person_id = k.owner_person_id) AS owner_is_workspace_admin,
      i.id AS key_instance_id, i.slug AS instance_slug
    FROM api_keys k
    LEFT JOIN organizations o ON o.id = k.organization_id
    LEFT JOIN members m ON m.organization_id = k.organization_id AND m.provider_user_id = k.owner_user_id
    LEFT JOIN roles r ON r.organization_id = m.organization_id AND r.id = m.custom_role_id
    LEFT JOIN people p ON p.id = coalesce(m.person_id, k.owner_person_id)
    LEFT JOIN workspaces w ON w.id = coalesce(k.workspace_id, o.workspace_id)
    LEFT JOIN instances i ON i.id = k.instance_id
    LEFT JOIN LATERAL (${account}) AS account ON true
    WHERE k.value_hash = ${hash} AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${now})
      AND CASE k.kind
        WHEN 'workspace' THEN w.active
        WHEN 'instance' THEN account.username IS NOT NULL
        ELSE o.active AND w.active IS NOT FALSE AND (k.kind = 'legacy' OR m.active) END`;
}

/** The rate limit to charge for keys of these kinds: that of their organization, workspace or instance. */
export interface KeyCharge {
  readonly limiter: RateLimiter;
  readonly limit: RateLimit;
  readonly kinds: readonly KeyKind[];
}

/** Looks up the key and charges its limit in one statement, since every request does both. */
async function findKey(
  db: Db,
  value: KeyValue,
  now: Date,
  charge: Charge,
  { limit, kinds }: Pick<KeyCharge, 'limit' | 'kinds'>,
): Promise<KeyRow | undefined> {
  const subject =
    limit.per === 'single_key'
      ? db`'key:' || id`
      : db`CASE kind
          WHEN 'workspace' THEN 'workspace:' || key_workspace_id
          WHEN 'instance' THEN 'instance:' || key_instance_id
          ELSE 'organization:' || organization_id END`;
  const subjects = db`
    SELECT ${subject} AS subject FROM key WHERE kind = ANY(${arrayLiteral(kinds)}::text[])`;
  const [row] = await db<KeyRow[]>`
    WITH key AS MATERIALIZED (${validKey(db, value, now)}), spent AS (${charge.spend(subjects)})
    SELECT * FROM key LEFT JOIN spent ON true`;
  return row;
}

function boundPrincipal(row: KeyRow, kind: BoundPrincipal['kind']): BoundPrincipal {
  const isLegacy = kind === 'legacy';
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

function workspacePrincipal(row: KeyRow): WorkspacePrincipal {
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

function instancePrincipal(row: KeyRow): InstancePrincipal {
  return {
    kind: 'instance',
    keyId: row.id,
    keyName: row.name,
    expiresAt: row.expires_at,
    owner: {
      userId: row.owner_user_id,
      personId: row.person_id,
      name: row.username!,
      email: null,
      isBot: row.bot === true,
    },
    instance: { id: row.key_instance_id!, slug: row.instance_slug! },
    everyOrganization: row.every_organization,
    homeOrganizationId: row.home_organization_id,
  };
}

function principalOf(row: KeyRow): Principal {
  switch (row.kind) {
    case 'workspace':
      return workspacePrincipal(row);
    case 'instance':
      return instancePrincipal(row);
    default:
      return boundPrincipal(row, row.kind);
  }
}

/** The caller, and the rate-limit decision; undefined for a kind of key that is not charged. */
export interface Authenticated {
  readonly principal: Principal;
  readonly decision: RateLimitDecision | undefined;
}

function readKeyValue(value: string | undefined): KeyValue {
  if (value === undefined || value === '') throw new AppError('UNAUTHORIZED', 'An API key is required');
  if (!isKeyValue(value)) throw new AppError('UNAUTHORIZED', 'The API key is malformed');
  return { kind: kindOfKeyValue(value), hash: hashKeyValue(value) };
}

function unknownKey(): AppError {
  return new AppError('UNAUTHORIZED', 'The API key is unknown, expired or revoked');
}

/**
 * Looks up the principal of a key value, with the owner's current rights, or throws UNAUTHORIZED. Only a valid key of a
 * charged kind counts toward the limit.
 */
export async function authenticate(
  db: Db,
  value: string | undefined,
  now: Date,
  { limiter, limit, kinds }: KeyCharge,
): Promise<Authenticated> {
  const key = readKeyValue(value);
  const charge = limiter.charge(limit, key.hash.toString('base64'));
  const row = await findKey(db, key, now, charge, {
    limit,
    kinds: charge.rejection === undefined ? kinds : [],
  });
  if (row === undefined) throw unknownKey();
  return {
    principal: principalOf(row),
    decision: row.last_admitted === null ? charge.rejection : charge.decide(row as KeyRow & SpentRow),
  };
}

/** The same for a request that was already charged: whether its key is still valid, and with which rights. */
export async function authenticateAgain(db: Db, value: string | undefined, now: Date): Promise<Principal> {
  const [row] = await db<KeyRow[]>`${validKey(db, readKeyValue(value), now)}`;
  if (row === undefined) throw unknownKey();
  return principalOf(row);
}
