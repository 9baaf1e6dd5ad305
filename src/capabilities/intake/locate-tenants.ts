import type { Tx } from '../../db/database.ts';
import { arrayLiteral } from '../../db/driver/array-literal.ts';
import type { OrganizationId, ProviderOrgId, ProviderRepositoryId, RepositoryId } from '../../lib/ids.ts';
import type { ReceivedEvent } from './event-type.ts';
import type { FailedEvent, ParsedEvent } from './parse-event.ts';

interface Located {
  readonly located: { readonly parsed: ParsedEvent; readonly event: ReceivedEvent<unknown> }[];
  readonly failed: FailedEvent[];
}

interface Place {
  readonly organizationId: OrganizationId | null;
  readonly repositoryId: RepositoryId | null;
}

function placeKey({ tenant: { instance, provider, orgId }, repositoryId }: ParsedEvent): string {
  return `${provider}\0${orgId}\0${instance ?? ''}\0${repositoryId ?? ''}`;
}

/** Where the events belong, by their place keys. An organization is looked for by its whole key, which is what its index has. */
async function findPlaces(tx: Tx, events: readonly ParsedEvent[]): Promise<Map<string, Place>> {
  const reported = new Map(events.map((event) => [placeKey(event), event]));
  const column = (value: (event: ParsedEvent) => string | null) =>
    arrayLiteral([...reported.values()].map(value));
  const rows = await tx<Place[]>`
    SELECT o.id AS "organizationId", r.id AS "repositoryId"
    FROM unnest(${column(({ tenant }) => tenant.instance)}::text[], ${column(({ tenant }) => tenant.provider)}::text[],
      ${column(({ tenant }) => tenant.orgId)}::text[], ${column(({ repositoryId }) => repositoryId)}::text[])
      WITH ORDINALITY AS reported (instance, provider, org_id, repository_id, place)
    LEFT JOIN LATERAL (
      SELECT o.id FROM organizations o
      WHERE reported.instance IS NULL AND o.instance_id IS NULL
        AND o.provider = reported.provider AND o.provider_organization_id = reported.org_id
      UNION ALL
      SELECT o.id FROM instances i JOIN organizations o ON o.instance_id = i.id
      WHERE i.slug = reported.instance
        AND o.provider = reported.provider AND o.provider_organization_id = reported.org_id) AS o ON true
    LEFT JOIN repositories r ON r.organization_id = o.id AND r.provider_repository_id = reported.repository_id
    ORDER BY place`;
  return new Map([...reported.keys()].map((key, index) => [key, rows[index]!]));
}

/** Looks up the organization and repository of every event; those that name unknown ones fail. */
export async function locateTenants(tx: Tx, events: readonly ParsedEvent[]): Promise<Located> {
  const failed: FailedEvent[] = [];
  const fail = ({ index, id }: ParsedEvent, message: string) =>
    failed.push({ index, id, code: 'NOT_FOUND', message });
  const places = await findPlaces(tx, events);
  const located = events.flatMap((parsed) => {
    const { index, id, source, time, data, tenant, repositoryId, isOwn = false } = parsed;
    const place = places.get(placeKey(parsed))!;
    if (place.organizationId === null) {
      fail(parsed, 'data.org_id: there is no such organization');
      return [];
    }
    if (repositoryId !== null && place.repositoryId === null) {
      fail(parsed, 'data.repository_id: the organization has no such repository');
      return [];
    }
    const event: ReceivedEvent<unknown> = {
      index,
      id,
      source,
      time,
      data,
      isOwn,
      organization: { id: place.organizationId, providerOrgId: tenant.orgId as ProviderOrgId },
      repository:
        place.repositoryId === null
          ? null
          : { id: place.repositoryId, providerRepositoryId: repositoryId as ProviderRepositoryId },
    };
    return [{ parsed, event }];
  });
  return { located, failed };
}
