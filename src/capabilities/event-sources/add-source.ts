import { hashKeyValue, newSourceValue } from '../../access/api-key-value.ts';
import type { Database, Tx } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { OrganizationId, Provider } from '../../lib/ids.ts';
import { newUuid } from '../../lib/uuid.ts';
import { type AuditOrigin, recordChanges } from '../audit-log/record-changes.ts';
import type { SourceRequest } from './schemas.ts';
import { sourceChangeEntries } from './source-audit.ts';

interface FoundOrganization {
  readonly place: number;
  readonly id: OrganizationId;
  readonly provider: Provider;
  readonly org_id: string;
  readonly instance: string | null;
}

/** The organizations that a request names, without duplicates; throws NOT_FOUND for the first that does not exist. */
async function findNamed(tx: Tx, named: SourceRequest['organizations']): Promise<FoundOrganization[]> {
  const rows = await tx<FoundOrganization[]>`
    SELECT n.place::int AS place, o.id, o.provider, o.provider_organization_id AS org_id, i.slug AS instance
    FROM unnest(${named.map(({ provider }) => provider)}::text[], ${named.map(({ org_id }) => org_id)}::text[],
      ${named.map(({ instance }) => instance ?? null)}::text[]) WITH ORDINALITY AS n (provider, org_id, instance, place)
    JOIN organizations o ON o.provider = n.provider AND o.provider_organization_id = n.org_id
    LEFT JOIN instances i ON i.id = o.instance_id
    WHERE i.slug IS NOT DISTINCT FROM n.instance ORDER BY n.place`;
  const places = new Set(rows.map(({ place }) => place));
  const missing = named.findIndex((_, index) => !places.has(index + 1));
  if (missing !== -1)
    throw new AppError('NOT_FOUND', `organizations[${missing}]: there is no such organization`);
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** Adds a sender of events and returns its value, which is not stored and cannot be shown again. */
export async function addSource(
  { database }: { database: Database },
  request: SourceRequest,
  origin: AuditOrigin,
) {
  const id = newUuid();
  const value = newSourceValue();
  const { name } = request;
  const types = [...new Set(request.types)].sort();
  const organizations = await database.transaction(async (tx) => {
    const found = await findNamed(tx, request.organizations);
    const ids = found.map((organization) => organization.id);
    await tx`
      INSERT INTO event_sources (id, name, value_hash, types, created_at)
      VALUES (${id}, ${name}, ${hashKeyValue(value)}, ${types}, ${origin.now})`;
    await tx`
      INSERT INTO event_source_organizations (event_source_id, organization_id) SELECT ${id}, unnest(${ids}::uuid[])`;
    await recordChanges(tx, origin, sourceChangeEntries('created', { id, name, types }, ids));
    return found;
  });
  return {
    id,
    name,
    value,
    organizations: organizations.map(({ provider, org_id, instance }) => ({ provider, org_id, instance })),
    types,
    created_at: origin.now.toISOString(),
  };
}
