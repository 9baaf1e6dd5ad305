import type { Database } from '../../db/database.ts';
import type { KeyContext, Reply } from '../../http/endpoint.ts';
import { checkResponseBytes, jsonPageBytes, jsonPageReply, maxResponseBytes } from '../../http/json-page.ts';
import { filtersOf } from './finding-filters.ts';
import { type FindingPosition, findPage } from './finding-store.ts';
import type { FindingsQuery } from './schemas.ts';

const DEFAULT_LIMIT = 100;

/** One page of the findings that the filters select; its exact size is known before its entries are read. */
export async function listFindings(
  { database }: { database: Database },
  { scope, cursors }: KeyContext,
  query: FindingsQuery,
): Promise<Reply> {
  const filters = filtersOf(query);
  const after = query.cursor === undefined ? undefined : cursors.read<FindingPosition>(filters, query.cursor);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const found = await findPage(database.sql, scope, filters, after, limit, maxResponseBytes);
  const entries = found.entries.slice(0, limit);
  const last = found.entries.length > limit ? entries.at(-1) : undefined;
  const nextCursor = last
    ? cursors.issue(filters, { organizationId: last.organizationId, id: last.id })
    : null;
  checkResponseBytes(jsonPageBytes(entries.length, found.bytes, nextCursor));
  return jsonPageReply(
    entries.map(({ body }) => body!),
    nextCursor,
  );
}
