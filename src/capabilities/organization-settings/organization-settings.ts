import type { CallerContext } from '../../access/caller-context.ts';
import { type OrgScope, onlyOrganization } from '../../access/org-scope.ts';
import type { Database, Db } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { cutPage } from '../../lib/wire/one-page.ts';
import { applyPlatform } from '../operator/apply-platform.ts';
import { repositoriesPerPage, type SettingsChange } from './schemas.ts';

interface SettingsRow {
  instance: string | null;
  plan: 'free' | 'pro' | 'enterprise';
  subscription: 'active' | 'none';
  seats_purchased: number;
  metrics: 'available' | 'unavailable';
  metrics_isolated: boolean;
  approval_delay_days: number;
}

async function findSettings(db: Db, scope: OrgScope): Promise<SettingsRow> {
  const [row] = await db<SettingsRow[]>`
    SELECT i.slug AS instance, o.plan, o.subscription, o.seats_purchased, o.metrics, o.metrics_isolated,
      o.approval_delay_days
    FROM organizations o LEFT JOIN instances i ON i.id = o.instance_id
    WHERE o.id = ${onlyOrganization(scope).organization.id}`;
  return row!;
}

/** Where a page of repositories ends. */
export interface RepositoryPosition {
  readonly name: string;
  readonly id: string;
}

interface RepositoryRow extends RepositoryPosition {
  repository_id: string;
  private: boolean;
  approval_delay_days: number | null;
}

export interface RepositoryPage {
  readonly after?: RepositoryPosition | undefined;
  /** Part of a name. */
  readonly search?: string | undefined;
  /** Only these. */
  readonly ids?: readonly string[] | undefined;
}

async function findRepositories(db: Db, scope: OrgScope, { after, search, ids }: RepositoryPage) {
  return db<RepositoryRow[]>`
    SELECT id, provider_repository_id AS repository_id, name, private, approval_delay_days FROM repositories
    WHERE organization_id = ${onlyOrganization(scope).organization.id} AND active
      ${search === undefined ? db`` : db`AND strpos(lower(name), lower(${search})) > 0`}
      ${ids === undefined ? db`` : db`AND provider_repository_id = ANY(${ids}::text[])`}
      ${after === undefined ? db`` : db`AND (name COLLATE "C", id) > (${after.name}, ${after.id}::uuid)`}
    ORDER BY name COLLATE "C", id LIMIT ${repositoriesPerPage + 1}`;
}

/** The settings of one organization, and those of a page of its active repositories, by name. */
export async function readSettings(
  { database }: { database: Database },
  { scope }: CallerContext,
  page: RepositoryPage = {},
) {
  const { organization } = onlyOrganization(scope);
  const found = await findRepositories(database.sql, scope, page);
  const { rows, next } = cutPage(found, repositoriesPerPage, ({ name, id }) => ({ name, id }));
  return {
    name: organization.name,
    provider: organization.provider,
    org_id: organization.providerOrgId,
    ...(await findSettings(database.sql, scope)),
    repositories: rows.map(({ id: _, ...repository }) => repository),
    next,
  };
}

/** Changes settings through the same verb as the operator's document, on behalf of the person. */
export async function changeSettings(
  deps: { database: Database },
  context: CallerContext,
  { repositories, ...change }: SettingsChange,
) {
  const { organization } = onlyOrganization(context.scope);
  const { instance } = await findSettings(deps.database.sql, context.scope);
  if (repositories !== undefined) {
    const ids = repositories.map(({ repository_id }) => repository_id);
    const known = await deps.database.sql`
      SELECT 1 FROM repositories
      WHERE organization_id = ${organization.id} AND active AND provider_repository_id = ANY(${ids}::text[])`;
    if (known.length !== new Set(ids).size) throw new AppError('NOT_FOUND', 'There is no such repository');
  }
  const document = {
    organizations: [
      {
        provider: organization.provider,
        provider_organization_id: organization.providerOrgId,
        instance,
        ...change,
        ...(repositories !== undefined && {
          repositories: repositories.map(({ repository_id, approval_delay_days }) => ({
            provider_repository_id: repository_id,
            approval_delay_days,
          })),
        }),
      },
    ],
  };
  await applyPlatform(deps, document, context);
  return readSettings(deps, context);
}
