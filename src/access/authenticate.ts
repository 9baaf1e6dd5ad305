import type { Db } from '../db/database.ts';
import { arrayLiteral, plainArrayLiteral } from '../db/driver/array-literal.ts';
import { AppError } from '../lib/app-error.ts';
import { gatherByName } from '../lib/concurrency/gather.ts';
import type { InstanceId, OrganizationId, PersonId, ProviderUserId, WorkspaceId } from '../lib/ids.ts';
import { hashKeyValue, isKeyValue, type KeyKind, kindOfKeyValue } from './api-key-value.ts';
import { type MemberRow, type OrganizationRow, organizationOf, rightsOfMember } from './organization-rows.ts';
import { noRights } from './permissions.ts';
import type { BoundPrincipal, InstancePrincipal, Principal, WorkspacePrincipal } from './principal.ts';
import type { Charge, RateLimit, RateLimitDecision, RateLimiter } from './rate-limit.ts';
import { keyStatement } from './statements/key-statements.ts';
import type { SpentRow } from './statements/rate-limit-statement.ts';

/** The columns that the statement of the key's kind returns; those of other kinds are missing. */
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
}

/** The parsed key value of a request. */
interface KeyValue {
  readonly kind: KeyKind;
  /** The hash of the value, in hexadecimal. */
  readonly digest: string;
}

/** The rate limit to charge for keys of these kinds: that of their organization, workspace or instance. */
export interface KeyCharge {
  readonly limit: RateLimit;
  readonly kinds: readonly KeyKind[];
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
  if (value === undefined || value === '')
    throw new AppError('UNAUTHORIZED', 'An API key is required, in the header x-service-api-key');
  if (!isKeyValue(value)) throw new AppError('UNAUTHORIZED', 'The API key is malformed');
  return { kind: kindOfKeyValue(value), digest: hashKeyValue(value).toString('hex') };
}

function unknownKey(): AppError {
  return new AppError('UNAUTHORIZED', 'The API key is unknown, expired or revoked');
}

/** A request that waits to be authenticated. */
interface Arrival extends KeyValue {
  readonly now: Date;
  readonly limit: RateLimit;
  readonly charge: Charge;
  readonly isCharged: boolean;
}

/** Looks up the principals of keys, and counts their requests. */
export interface KeyAuthenticator {
  /**
   * Looks up the principal of a key value, with the owner's current rights, or throws UNAUTHORIZED. Only a valid key of a
   * charged kind counts toward the limit.
   */
  authenticate(value: string | undefined, now: Date, charge: KeyCharge): Promise<Authenticated>;
  /**
   * Like `authenticate`, for a request that was already charged: returns the principal with the current rights if the key is
   * still valid.
   */
  authenticateAgain(value: string | undefined, now: Date): Promise<Principal>;
}

type FoundKey = KeyRow & { place: number } & Partial<SpentRow>;

/**
 * Reads the keys of these requests, and charges them if `charged` is given. Returns one row per valid key, by the digest of its
 * value.
 */
async function findKeys(
  db: Db,
  arrivals: readonly Pick<Arrival, 'kind' | 'digest' | 'now'>[],
  charged?: Pick<Arrival, 'limit' | 'charge'>,
): Promise<Map<string, FoundKey>> {
  const requests = new Map<string, number>();
  for (const { digest } of arrivals) requests.set(digest, (requests.get(digest) ?? 0) + 1);
  const digests = [...requests.keys()];
  const hashes = arrayLiteral(digests.map((digest) => `\\x${digest}`));
  const { kind, now } = arrivals.at(-1)!;
  const counts = plainArrayLiteral([...requests.values()]);
  const parameters = [hashes, counts, now, kind, ...(charged?.charge.parameters ?? [])];
  const rows = await db.unsafe<FoundKey[]>(keyStatement(kind, charged?.limit.per), parameters, {
    prepare: true,
  });
  return new Map(rows.map((row) => [digests[row.place - 1]!, row]));
}

/** The outcome for each of these requests; undefined if its key is not valid. Subjects are charged in the order of arrival. */
function decideEach(
  arrivals: readonly Arrival[],
  found: ReadonlyMap<string, FoundKey>,
): (Authenticated | undefined)[] {
  const principals = new Map([...found].map(([digest, row]) => [digest, principalOf(row)]));
  const places = new Map<string, number>();
  return arrivals.map(({ digest, charge, isCharged }) => {
    const row = found.get(digest);
    if (row === undefined) return undefined;
    const principal = principals.get(digest)!;
    if (!isCharged) return { principal, decision: charge.rejection };
    const spent = row as FoundKey & SpentRow;
    const place = places.get(spent.subject) ?? 0;
    places.set(spent.subject, place + 1);
    return { principal, decision: charge.decide(spent, place) };
  });
}

const maxTogether = 100;

/**
 * Requests that arrive during a look-up are batched into the next one. It starts after the last of them has arrived and counts
 * each of them, so all get the rights of that moment; nothing is cached.
 */
export function createKeyAuthenticator(db: Db, limiter: RateLimiter): KeyAuthenticator {
  const admit = gatherByName(
    async (_, arrivals: readonly Arrival[]) => {
      const [first] = arrivals as [Arrival];
      return decideEach(arrivals, await findKeys(db, arrivals, first.isCharged ? first : undefined));
    },
    { max: maxTogether },
  );

  return {
    async authenticate(value, now, { limit, kinds }) {
      const key = readKeyValue(value);
      const charge = limiter.charge(limit, key.digest);
      const isCharged = charge.rejection === undefined && kinds.includes(key.kind);
      const group = isCharged ? `${key.kind} ${limit.bucket} ${limit.perMinute} ${limit.per}` : key.kind;
      const authenticated = await admit(group, { ...key, now, limit, charge, isCharged });
      if (authenticated === undefined) throw unknownKey();
      return authenticated;
    },
    async authenticateAgain(value, now) {
      const key = readKeyValue(value);
      const row = (await findKeys(db, [{ ...key, now }])).get(key.digest);
      if (row === undefined) throw unknownKey();
      return principalOf(row);
    },
  };
}
