import type { Db, Tx } from '../db/database.ts';
import { AppError } from '../lib/app-error.ts';
import type { OrganizationId } from '../lib/ids.ts';
import { hashKeyValue, isSourceValue } from './api-key-value.ts';
import type { RateLimit, RateLimitDecision, RateLimiter } from './rate-limit.ts';
import { type SpentRow, spendingStatement } from './statements/rate-limit-statement.ts';

/** An organization, identified by the fields that events contain. */
export interface ReportedTenant {
  readonly provider: string;
  readonly orgId: string;
  readonly instance: string | null;
}

/** A sender of events with a restricted key: the event types that it may report, and for which organizations. */
export interface EventSource {
  readonly id: string;
  readonly types: ReadonlySet<string>;
  /** The active organizations that it may report for. */
  readonly organizations: readonly (ReportedTenant & { readonly id: OrganizationId })[];
  mayReportFor(tenant: ReportedTenant): boolean;
  /** Throws UNAUTHORIZED if the source was removed; otherwise keeps it from being removed until the transaction ends. */
  confirm(tx: Tx): Promise<void>;
}

/** The fields of SpentRow are null if nothing was charged. */
interface SourceRow extends Partial<SpentRow> {
  id: string;
  types: string[];
  tenants: [provider: string, orgId: string, instance: string | null, id: OrganizationId][];
}

/** The minimum interval between updates of "last used", so that a busy source does not write its row on every request. */
const usageSeconds = 60;

function gone(): AppError {
  return new AppError('UNAUTHORIZED', 'The event source is unknown or was removed');
}

function tenantKey({ provider, orgId, instance }: ReportedTenant): string {
  return JSON.stringify([provider, orgId, instance]);
}

/** Nothing is cached: removing a source or deactivating an organization takes effect immediately on every node. */
const chargedSource = `
  WITH source AS MATERIALIZED (
    SELECT s.id, s.types, coalesce((
      SELECT jsonb_agg(jsonb_build_array(o.provider, o.provider_organization_id, i.slug, o.id))
      FROM event_source_organizations so JOIN organizations o ON o.id = so.organization_id
      LEFT JOIN instances i ON i.id = o.instance_id LEFT JOIN workspaces w ON w.id = o.workspace_id
      WHERE so.event_source_id = s.id AND o.active AND w.active IS NOT FALSE), '[]') AS tenants
    FROM event_sources s WHERE s.value_hash = $1),
  spent AS (${spendingStatement(`SELECT 'source:' || id AS subject, 1 AS asked FROM source WHERE $3::boolean`, 4)}),
  used AS (UPDATE event_sources s SET last_used_at = $2 FROM source
    WHERE s.id = source.id AND (s.last_used_at IS NULL
      OR s.last_used_at < $2::timestamptz - make_interval(secs => ${usageSeconds})))
  SELECT * FROM source LEFT JOIN spent ON true`;

function sourceOf({ id, types, tenants }: SourceRow): EventSource {
  const organizations = tenants.map(([provider, orgId, instance, organizationId]) => ({
    provider,
    orgId,
    instance,
    id: organizationId,
  }));
  const known = new Set(organizations.map(tenantKey));
  return {
    id,
    types: new Set(types),
    organizations,
    mayReportFor: (tenant) => known.has(tenantKey(tenant)),
    async confirm(tx) {
      const rows = await tx`SELECT 1 FROM event_sources WHERE id = ${id} FOR KEY SHARE`;
      if (rows.length === 0) throw gone();
    },
  };
}

/** Looks up an event source by its key, or throws UNAUTHORIZED; only a valid key is charged. */
export async function authenticateSource(
  db: Db,
  value: string | undefined,
  now: Date,
  { limiter, limit }: { readonly limiter: RateLimiter; readonly limit: RateLimit },
): Promise<{ readonly source: EventSource; readonly decision: RateLimitDecision }> {
  if (value === undefined || value === '')
    throw new AppError('UNAUTHORIZED', 'The key of an event source is required');
  if (!isSourceValue(value))
    throw new AppError('UNAUTHORIZED', 'This is not the key of an event source, which starts with pss_');
  const hash = hashKeyValue(value);
  const charge = limiter.charge(limit, hash.toString('base64'));
  const charged = charge.rejection === undefined;
  const parameters = [hash, now, charged, ...charge.parameters];
  const [row] = await db.unsafe<SourceRow[]>(chargedSource, parameters, { prepare: true });
  if (row === undefined) throw gone();
  return {
    source: sourceOf(row),
    decision: charge.rejection ?? charge.decide(row as SourceRow & SpentRow, 0),
  };
}
