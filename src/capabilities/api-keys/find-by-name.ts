import type { Db } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { OrganizationId, Provider } from '../../lib/ids.ts';

/** How an operator refers to an organization: by its id at its host, or by its name. */
interface OrganizationReference {
  readonly provider?: Provider | undefined;
  readonly org_id: string;
  readonly instance?: string | null | undefined;
}

interface FoundOrganization {
  readonly id: OrganizationId;
  readonly provider: Provider;
  readonly org_id: string;
  readonly slug: string | null;
  readonly is_by_id: boolean;
}

/** An organization of the instance that a key is bound to. */
export interface InstanceOrganization {
  readonly id: OrganizationId;
  readonly org_id: string;
  readonly name: string;
}

const maxListed = 10;

function listed(items: readonly string[]): string {
  return [...items.slice(0, maxListed), ...(items.length > maxListed ? ['others'] : [])].join(', ');
}

function ambiguous(field: string, given: string, ids: readonly string[]): AppError {
  return new AppError('INVALID_REQUEST', `${field}: ${given} is ambiguous; use one of these: ${listed(ids)}`);
}

/**
 * Finds the organization that is meant. An id together with its provider is unambiguous: ids are unique only on their host,
 * so it never stands for an organization on another host. Otherwise the name or id must be unique.
 */
export async function findOrganization(db: Db, reference: OrganizationReference): Promise<OrganizationId> {
  const { provider, org_id: given, instance } = reference;
  const found = await db<FoundOrganization[]>`
    SELECT o.id, o.provider, o.provider_organization_id AS org_id, i.slug, o.provider_organization_id = ${given} AS is_by_id
    FROM organizations o LEFT JOIN instances i ON i.id = o.instance_id
    WHERE (o.provider_organization_id = ${given} OR o.active AND lower(o.name) = lower(${given}))
      AND (${provider ?? null}::text IS NULL OR o.provider = ${provider ?? null})
    ORDER BY o.provider, i.slug COLLATE "C" NULLS FIRST, o.provider_organization_id COLLATE "C" LIMIT 100`;
  const isThere = ({ slug }: FoundOrganization) => slug === (instance ?? null);
  const exact = found.find((organization) => organization.is_by_id && isThere(organization));
  if (provider !== undefined && exact !== undefined) return exact.id;
  const possible = found.filter(
    (organization) =>
      (instance === undefined || isThere(organization)) && !(provider !== undefined && organization.is_by_id),
  );
  if (possible.length === 1) return possible[0]!.id;
  if (possible.length > 1) throw ambiguous('org_id', given, possible.map(describe));
  throw new AppError('NOT_FOUND', explainMissing(found, instance));
}

function describe({ provider, org_id, slug }: FoundOrganization): string {
  return `${org_id} (provider: ${provider}${slug === null ? '' : `, instance: ${slug}`})`;
}

/** Explains the error, because an organization on another host is easily taken for missing. */
function explainMissing(
  elsewhere: readonly FoundOrganization[],
  instance: string | null | undefined,
): string {
  const missing = 'org_id: there is no such organization';
  if (elsewhere.length === 0) return missing;
  const slugs = [...new Set(elsewhere.map(({ slug }) => slug ?? 'null, for the public cloud'))];
  const where = instance == null ? 'on the public cloud' : `on ${instance}`;
  return `${missing} ${where}; instance: must be ${slugs.slice(0, maxListed).join(' or ')}`;
}

/** The one of these organizations that has the id, or else the name. */
export function chooseOrganization(
  candidates: readonly InstanceOrganization[],
  given: string,
  field: string,
): InstanceOrganization {
  const byId = candidates.find(({ org_id }) => org_id === given);
  if (byId !== undefined) return byId;
  const named = candidates.filter(({ name }) => name.toLowerCase() === given.toLowerCase());
  if (named.length > 1)
    throw ambiguous(
      field,
      given,
      named.map(({ org_id }) => org_id),
    );
  if (named[0] === undefined)
    throw new AppError('NOT_FOUND', `${field}: the key's instance has no organization ${given}`);
  return named[0];
}

/** The id of an active member of these organizations, given by id or username; undefined if there is none. */
export async function findOwner(
  db: Db,
  organizationIds: readonly OrganizationId[],
  given: string,
): Promise<string | undefined> {
  const found = await db<{ user_id: string }[]>`
    SELECT DISTINCT provider_user_id AS user_id FROM members
    WHERE organization_id = ANY (${[...organizationIds]}::uuid[]) AND active
      AND (provider_user_id = ${given} OR lower(username) = lower(${given}))
    ORDER BY 1 LIMIT 100`;
  const ids = found.map(({ user_id }) => user_id);
  if (ids.includes(given)) return given;
  if (ids.length > 1) throw ambiguous('owner', given, ids);
  return ids[0];
}
