import type { CallerContext } from '../../access/caller-context.ts';
import type { Db } from '../../db/database.ts';
import type { WorkspaceId } from '../../lib/ids.ts';
import { labelOf } from './entry-labels.ts';
import type { AuditEntryRow } from './hash-chain.ts';
import { formatRelativeTime } from './relative-time.ts';
import type { EntryExportQuery, EntryListQuery } from './schemas.ts';
import { countEntries, type EntryCount, type EntryFilter, findEntries, readableChainIds } from './store.ts';

/** An entry as callers see it. */
export function presentEntry(row: AuditEntryRow, now: Date) {
  return {
    id: row.id,
    action: row.action,
    actionLabel: labelOf(row.action),
    resourceType: row.resource_type,
    resourceTypeLabel: labelOf(row.resource_type),
    resourceSummary: row.resource_summary,
    actor: {
      name: row.actor_name,
      subtitle: row.actor_subtitle ?? '',
      isBot: row.actor_is_bot,
      avatarUrl: null, // Git providers do not report avatars
    },
    metadata: row.metadata,
    ipAddress: row.ip_address,
    createdAt: row.created_at.toISOString(),
    relativeTime: formatRelativeTime(row.created_at, now),
  };
}

function filterOptions(counts: readonly EntryCount[], field: 'action' | 'resource_type') {
  const sums = new Map<string, number>();
  for (const row of counts) sums.set(row[field], (sums.get(row[field]) ?? 0) + row.count);
  return [...sums]
    .map(([value, count]) => ({ value, label: labelOf(value), count }))
    .sort((a, b) => (a.value < b.value ? -1 : 1));
}

function countMatching(counts: readonly EntryCount[], { actions, resourceTypes }: EntryFilter): number {
  const chosen = counts.filter(
    ({ action, resource_type }) =>
      (actions?.includes(action) ?? true) && (resourceTypes?.includes(resource_type) ?? true),
  );
  return chosen.reduce((sum, { count }) => sum + count, 0);
}

/** What a request selects. */
export function toEntryFilter(query: EntryExportQuery): EntryFilter {
  return {
    search: query.search === '' ? undefined : query.search,
    from: query.date_from,
    to: query.date_to,
    actions: query.actions,
    resourceTypes: query.resource_types,
  };
}

/**
 * Lists the audit entries in scope, newest first. The filter options are counted with the search and dates applied, but
 * without the chosen actions and resource types, so that choosing one does not hide the others. With a workspace id, the
 * workspace's own entries are included.
 */
export async function listEntries(
  db: Db,
  { scope, now }: CallerContext,
  query: EntryListQuery,
  workspaceId: WorkspaceId | undefined,
) {
  const chains = readableChainIds(scope, workspaceId);
  const filter = toEntryFilter(query);
  const counts = await countEntries(db, chains, filter);
  const { page, page_size: limit } = query;
  const total = countMatching(counts, filter);
  const offset = (page - 1) * limit;
  const rows = offset < total ? await findEntries(db, chains, filter, { offset, limit }) : [];
  return {
    data: rows.map((row) => presentEntry(row, now)),
    pagination: {
      page,
      page_size: limit,
      total_count: total,
      total_pages: Math.ceil(total / limit),
      has_next_page: offset + limit < total,
      has_previous_page: page > 1,
    },
    filter_options: {
      actions: filterOptions(counts, 'action'),
      resource_types: filterOptions(counts, 'resource_type'),
    },
  };
}
