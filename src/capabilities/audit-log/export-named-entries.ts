import type { CallerContext } from '../../access/caller-context.ts';
import type { Db } from '../../db/database.ts';
import type { WorkspaceId } from '../../lib/ids.ts';
import { type CsvColumn, csvHeader, csvRows } from '../../lib/wire/csv.ts';
import { presentEntry, toEntryFilter } from './list-entries.ts';
import { nameIds, withNames } from './name-ids.ts';
import type { EntryExportQuery } from './schemas.ts';
import { findEntries, readableChainIds } from './store.ts';

type NamedEntry = ReturnType<typeof presentEntry> & { readonly names: Readonly<Record<string, string>> };

/** Metadata as text, with names in place of ids. */
function describeMetadata({ metadata, names }: NamedEntry): string {
  return Object.entries(metadata ?? {})
    .map(([key, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `${key}: ${names[text] ?? text}`;
    })
    .join('; ');
}

const columns: readonly CsvColumn<NamedEntry>[] = [
  { name: 'time', cell: ({ createdAt }) => createdAt },
  { name: 'actor', cell: ({ actor }) => actor.name },
  { name: 'through', cell: ({ actor }) => actor.subtitle },
  { name: 'ip_address', cell: ({ ipAddress }) => ipAddress },
  { name: 'action', cell: ({ actionLabel }) => actionLabel },
  { name: 'resource_type', cell: ({ resourceTypeLabel }) => resourceTypeLabel },
  { name: 'resource', cell: ({ resourceSummary, names }) => withNames(resourceSummary, names) },
  { name: 'details', cell: describeMetadata },
];

const rowsPerRead = 1000;

/** Streams the entries that match the filters as CSV, newest first, with names instead of ids. */
export async function* exportNamedEntries(
  db: Db,
  { scope, now }: CallerContext,
  query: EntryExportQuery,
  workspaceId: WorkspaceId | undefined,
): AsyncGenerator<Buffer> {
  yield csvHeader(columns);
  // Entries that are written meanwhile would shift the pages, so the export ends at the present.
  const to = query.date_to !== undefined && query.date_to < now ? query.date_to : now;
  const filter = toEntryFilter({ ...query, date_to: to });
  const chains = readableChainIds(scope, workspaceId);
  for (let offset = 0; ; offset += rowsPerRead) {
    const rows = await findEntries(db, chains, filter, { offset, limit: rowsPerRead });
    const entries = rows.map((row) => presentEntry(row, now));
    const names = await nameIds(db, scope, entries);
    if (entries.length > 0)
      yield csvRows(
        columns,
        entries.map((entry) => ({ ...entry, names })),
      );
    if (rows.length < rowsPerRead) return;
  }
}
