import type { CallerContext } from '../../access/caller-context.ts';
import type { Db } from '../../db/database.ts';
import type { WorkspaceId } from '../../lib/ids.ts';
import { labelOf } from './entry-labels.ts';
import type { AuditEntryRow } from './record-changes.ts';
import { relativeTime } from './relative-time.ts';
import type { EntryListQuery } from './schemas.ts';
import { chainsOf, countByKind, type EntryFilter, findEntries, type KindCount } from './store.ts';

function presentEntry(row: AuditEntryRow, now: Date) {
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
      avatarUrl: null, // no Git provider tells us pictures
    },
    metadata: row.metadata,
    ipAddress: row.ip_address,
    createdAt: row.created_at.toISOString(),
    relativeTime: relativeTime(row.created_at, now),
  };
}

function optionsOf(counts: readonly KindCount[], field: 'action' | 'resource_type') {
  const sums = new Map<string, number>();
  for (const row of counts) sums.set(row[field], (sums.get(row[field]) ?? 0) + row.count);
  return [...sums]
    .map(([value, count]) => ({ value, label: labelOf(value), count }))
    .sort((a, b) => (a.value < b.value ? -1 : 1));
}

function totalOf(counts: readonly KindCount[], { actions, resourceTypes }: EntryFilter): number {
  const chosen = counts.filter(
    ({ action, resource_type }) =>
      (actions?.includes(action) ?? true) && (resourceTypes?.includes(resource_type) ?? true),
  );
  return chosen.reduce((sum, { count }) => sum + count, 0);
}

/**
 * Lists audit entries of the scope, newest first. The filter options are counted under the search and the dates, but not
 * under the chosen actions and resource types, so that a choice does not take the other choices away. With a workspace,
 * the workspace's own entries are included.
 */
export async function listEntries(
  db: Db,
  { scope, now }: CallerContext,
  query: EntryListQuery,
  workspaceId: WorkspaceId | undefined,
) {
  const chains = chainsOf(scope, workspaceId);
  const filter: EntryFilter = {
    search: query.search === '' ? undefined : query.search,
    from: query.date_from,
    to: query.date_to,
    actions: query.actions,
    resourceTypes: query.resource_types,
  };
  const counts = await countByKind(db, chains, filter);
  const { page, page_size: limit } = query;
  const total = totalOf(counts, filter);
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
      actions: optionsOf(counts, 'action'),
      resource_types: optionsOf(counts, 'resource_type'),
    },
  };
}
