import type { Tx } from '../../db/database.ts';
import type { OrganizationId, ProviderOrgId, ProviderRepositoryId, RepositoryId } from '../../lib/ids.ts';
import type { ReceivedEvent } from './event-type.ts';
import type { FailedEvent, ParsedEvent } from './parse-event.ts';

interface Located {
  readonly located: { readonly parsed: ParsedEvent; readonly event: ReceivedEvent<unknown> }[];
  readonly failed: FailedEvent[];
}

type Organization = ReceivedEvent<unknown>['organization'];
type Repository = NonNullable<ReceivedEvent<unknown>['repository']>;

function tenantKey({ instance, provider, orgId }: ParsedEvent['tenant']): string {
  return `${provider}\0${orgId}\0${instance ?? ''}`;
}

async function findOrganizations(tx: Tx, events: readonly ParsedEvent[]) {
  const tenants = [...new Map(events.map((event) => [tenantKey(event.tenant), event.tenant])).values()];
  const rows = await tx<
    { instance: string | null; provider: string; org_id: ProviderOrgId; id: OrganizationId }[]
  >`
    SELECT i.slug AS instance, o.provider, o.provider_organization_id AS org_id, o.id
    FROM organizations o LEFT JOIN instances i ON i.id = o.instance_id
    WHERE o.provider_organization_id = ANY(${tenants.map(({ orgId }) => orgId)}::text[])`;
  return new Map(
    rows.map(({ instance, provider, org_id, id }): [string, Organization] => [
      tenantKey({ instance, provider, orgId: org_id }),
      { id, providerOrgId: org_id },
    ]),
  );
}

async function findRepositories(
  tx: Tx,
  wanted: readonly { organizationId: OrganizationId; repositoryId: string }[],
) {
  const unique = [
    ...new Map(wanted.map((item) => [`${item.organizationId}/${item.repositoryId}`, item])).values(),
  ];
  const rows = await tx<
    { organization_id: OrganizationId; provider_repository_id: ProviderRepositoryId; id: RepositoryId }[]
  >`
    SELECT r.organization_id, r.provider_repository_id, r.id
    FROM unnest(${unique.map((item) => item.organizationId)}::uuid[], ${unique.map((item) => item.repositoryId)}::text[])
      AS n (organization_id, provider_repository_id)
    JOIN repositories r USING (organization_id, provider_repository_id)`;
  return new Map(
    rows.map(({ organization_id, provider_repository_id, id }): [string, Repository] => [
      `${organization_id}/${provider_repository_id}`,
      { id, providerRepositoryId: provider_repository_id },
    ]),
  );
}

/** Looks up the organization and repository of every event; those that name unknown ones fail. */
export async function locateTenants(tx: Tx, events: readonly ParsedEvent[]): Promise<Located> {
  const failed: FailedEvent[] = [];
  const fail = ({ index, id }: ParsedEvent, message: string) =>
    failed.push({ index, id, code: 'NOT_FOUND', message });
  const organizations = await findOrganizations(tx, events);
  const known = events.flatMap((parsed) => {
    const organization = organizations.get(tenantKey(parsed.tenant));
    if (organization !== undefined) return [{ parsed, organization }];
    fail(parsed, 'data.org_id: there is no such organization');
    return [];
  });
  const repositories = await findRepositories(
    tx,
    known.flatMap(({ parsed, organization }) =>
      parsed.repositoryId === null
        ? []
        : [{ organizationId: organization.id, repositoryId: parsed.repositoryId }],
    ),
  );
  const located = known.flatMap(({ parsed, organization }) => {
    const { index, id, source, time, data, repositoryId } = parsed;
    const repository =
      repositoryId === null ? undefined : repositories.get(`${organization.id}/${repositoryId}`);
    if (repositoryId !== null && repository === undefined) {
      fail(parsed, 'data.repository_id: the organization has no such repository');
      return [];
    }
    const event: ReceivedEvent<unknown> = {
      index,
      id,
      source,
      time,
      data,
      organization,
      repository: repository ?? null,
    };
    return [{ parsed, event }];
  });
  return { located, failed };
}
