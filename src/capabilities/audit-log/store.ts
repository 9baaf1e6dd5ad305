import { type OrgScope, organizationIdsOf } from '../../access/org-scope.ts';
import type { Db } from '../../db/database.ts';
import type { Provider, WorkspaceId } from '../../lib/ids.ts';
import type { AuditEntryRow } from './hash-chain.ts';

/** Which entries to select; absent fields do not filter. */
export interface EntryFilter {
  readonly search?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly actions?: readonly string[] | undefined;
  readonly resourceTypes?: readonly string[] | undefined;
}

/** The chains a scope may read: those of its organizations and, when a workspace is viewed as a whole, the workspace's own. */
export function readableChainIds(scope: OrgScope, workspaceId: WorkspaceId | undefined): string[] {
  return [...organizationIdsOf(scope), ...(workspaceId === undefined ? [] : [workspaceId])];
}

function entryColumns(db: Db) {
  return db`e.chain_id, e.position, e.id, e.organization_id, e.workspace_id, e.action, e.resource_type, e.resource_id,
    e.resource_summary, e.actor_type, e.actor_id, e.actor_name, e.actor_subtitle, e.actor_is_bot, e.metadata, e.ip_address,
    e.request_id, e.created_at`;
}

function filterConditions(db: Db, { search, from, to, actions, resourceTypes }: EntryFilter) {
  return db`
    ${search === undefined ? db`` : db`AND strpos(lower(e.actor_name), lower(${search})) > 0`}
    ${from === undefined ? db`` : db`AND e.created_at >= ${from}`}
    ${to === undefined ? db`` : db`AND e.created_at <= ${to}`}
    ${actions === undefined ? db`` : db`AND e.action = ANY(${[...actions]}::text[])`}
    ${resourceTypes === undefined ? db`` : db`AND e.resource_type = ANY(${[...resourceTypes]}::text[])`}`;
}

/** How many entries have this action and resource type. */
export interface EntryCount {
  readonly action: string;
  readonly resource_type: string;
  readonly count: number;
}

/** Counts the entries of the chains by action and resource type, applying only the filter's search and dates. */
export async function countEntries(
  db: Db,
  chains: readonly string[],
  { search, from, to }: EntryFilter,
): Promise<EntryCount[]> {
  const ids = db`${[...chains]}::uuid[]`;
  if (search === undefined && from === undefined && to === undefined) {
    return db<EntryCount[]>`
      SELECT action, resource_type, sum(entries)::bigint AS count FROM audit_tallies
      WHERE chain_id = ANY(${ids}) GROUP BY action, resource_type`;
  }
  return db<EntryCount[]>`
    SELECT e.action, e.resource_type, count(*) AS count FROM audit_entries e
    WHERE e.chain_id = ANY(${ids}) ${filterConditions(db, { search, from, to })} GROUP BY e.action, e.resource_type`;
}

/** Finds one page of the entries of the chains, newest first. */
export async function findEntries(
  db: Db,
  chains: readonly string[],
  filter: EntryFilter,
  page: { readonly offset: number; readonly limit: number },
): Promise<AuditEntryRow[]> {
  // The inner query uses the index alone, so only the entries of this page are read from the table.
  return db<AuditEntryRow[]>`
    SELECT ${entryColumns(db)} FROM (
      SELECT found.* FROM unnest(${[...chains]}::uuid[]) AS c (id) CROSS JOIN LATERAL (
        SELECT e.chain_id, e.created_at, e.position FROM audit_entries e
        WHERE e.chain_id = c.id ${filterConditions(db, filter)}
        ORDER BY e.created_at DESC, e.position DESC LIMIT ${page.offset + page.limit}) AS found
      ORDER BY found.created_at DESC, found.chain_id, found.position DESC
      LIMIT ${page.limit} OFFSET ${page.offset}) AS wanted
    JOIN audit_entries e ON e.chain_id = wanted.chain_id AND e.position = wanted.position
    ORDER BY e.created_at DESC, e.chain_id, e.position DESC`;
}

/** A chain and the organization or workspace it belongs to. */
export interface ChainRow {
  chain_id: string;
  provider: Provider | null;
  org_id: string | null;
  instance: string | null;
  workspace: string | null;
}

/** Identifies one organization by its provider's id, or none when empty. */
export interface OrganizationReference {
  readonly provider?: Provider | undefined;
  readonly org_id?: string | undefined;
  readonly instance?: string | undefined;
}

/** Finds every chain, including those whose head was lost, or only the chain of one organization. */
export async function findChains(
  db: Db,
  { provider, org_id, instance }: OrganizationReference,
): Promise<ChainRow[]> {
  const chains =
    org_id === undefined
      ? db`SELECT chain_id FROM found WHERE chain_id IS NOT NULL UNION SELECT chain_id FROM audit_chains`
      : db`
        SELECT n.id FROM organizations n LEFT JOIN instances ni ON ni.id = n.instance_id
        WHERE n.provider = ${provider ?? null} AND n.provider_organization_id = ${org_id}
          AND ni.slug IS NOT DISTINCT FROM ${instance ?? null}
          AND (EXISTS (SELECT 1 FROM audit_chains h WHERE h.chain_id = n.id)
            OR EXISTS (SELECT 1 FROM audit_entries e WHERE e.chain_id = n.id))`;
  return db<ChainRow[]>`
    WITH RECURSIVE found (chain_id) AS (
      (SELECT chain_id FROM audit_entries ORDER BY chain_id LIMIT 1)
      UNION ALL
      SELECT (SELECT e.chain_id FROM audit_entries e WHERE e.chain_id > found.chain_id ORDER BY e.chain_id LIMIT 1)
      FROM found WHERE found.chain_id IS NOT NULL)
    SELECT c.chain_id, o.provider, o.provider_organization_id AS org_id, i.slug AS instance, w.slug AS workspace
    FROM (${chains}) AS c (chain_id)
    LEFT JOIN organizations o ON o.id = c.chain_id
    LEFT JOIN instances i ON i.id = o.instance_id
    LEFT JOIN workspaces w ON w.id = coalesce(o.workspace_id, c.chain_id)
    ORDER BY c.chain_id`;
}

export interface ChainHead {
  last_position: number;
  last_hash: Buffer;
}

/** Finds the recorded end of a chain; undefined if it was lost. */
export async function findHead(db: Db, chainId: string): Promise<ChainHead | undefined> {
  const [head] = await db<ChainHead[]>`
    SELECT last_position, last_hash FROM audit_chains WHERE chain_id = ${chainId}`;
  return head;
}

/** Finds the position of the first entry at or after a time; undefined if there is none. */
export async function findFirstPositionSince(
  db: Db,
  chainId: string,
  since: Date,
): Promise<number | undefined> {
  const [row] = await db<{ position: number | null }[]>`
    SELECT min(position) AS position FROM audit_entries WHERE chain_id = ${chainId} AND created_at >= ${since}`;
  return row?.position ?? undefined;
}

export interface LinkedEntry {
  readonly entry: AuditEntryRow;
  readonly previousHash: Buffer;
  readonly hash: Buffer;
}

/** Finds the next entries of a chain after a position, oldest first. */
export async function findEntriesAfter(
  db: Db,
  chainId: string,
  position: number,
  limit: number,
): Promise<LinkedEntry[]> {
  const rows = await db<(AuditEntryRow & { previous_hash: Buffer; hash: Buffer })[]>`
    SELECT ${entryColumns(db)}, e.previous_hash, e.hash FROM audit_entries e
    WHERE e.chain_id = ${chainId} AND e.position > ${position} ORDER BY e.position LIMIT ${limit}`;
  return rows.map(({ previous_hash, hash, ...entry }) => ({ entry, previousHash: previous_hash, hash }));
}
