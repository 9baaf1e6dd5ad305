import type { Database } from '../db/database.ts';
import type { Freshness, LaggingReads } from '../db/replicas/lagging-reads.ts';
import { AppError } from '../lib/app-error.ts';
import type { CursorCodec } from './cursor.ts';
import type { PageCursors } from './endpoint.ts';

/** A page of a list. `next` is the position after which the next page starts; null on the last page. */
export interface PositionedPage<Position> {
  readonly next: Position | null;
}

/**
 * Reads one page of a list. The request's cursor is decoded to the position after which a verb starts, and the position where
 * the verb stopped becomes the next cursor. So verbs never see cursors.
 */
export async function readOnePage<Position, Page extends PositionedPage<Position>>(
  cursors: PageCursors,
  filters: unknown,
  cursor: string | undefined,
  read: (after: Position | undefined) => Promise<Page & PositionedPage<Position>>,
): Promise<{ page: Page; nextCursor: string | null }> {
  const page = await read(cursor === undefined ? undefined : cursors.read<Position>(filters, cursor));
  return { page, nextCursor: page.next === null ? null : cursors.issue(filters, page.next) };
}

/** The required freshness of a request's first read. */
export function freshnessOf({ mayLag }: { readonly mayLag: boolean }): Freshness {
  return mayLag ? 'may_lag' : 'newest';
}

/**
 * Like `readOnePage`, for a list that may be read from a replica. Its cursors also contain the log position that the previous
 * pages have seen, and the next page is read only from a server that includes it: otherwise, on a lagging replica, the list
 * could seem to end early (ADR 0016).
 */
export async function readLaggingPage<Position extends object, Page extends PositionedPage<Position>>(
  reads: LaggingReads,
  context: { readonly cursors: PageCursors; readonly mayLag: boolean },
  filters: unknown,
  cursor: string | undefined,
  read: (after: Position | undefined, database: Database) => Promise<Page & PositionedPage<Position>>,
): Promise<{ page: Page; nextCursor: string | null }> {
  type Sealed = Position & { readonly seen?: string };
  const after = cursor === undefined ? undefined : context.cursors.read<Sealed>(filters, cursor);
  const freshness = after === undefined ? freshnessOf(context) : freshnessAfter(after.seen, context.mayLag);
  const { result: page, position } = await reads.read(freshness, (database) => read(after, database));
  if (page.next === null) return { page, nextCursor: null };
  const seen = await position();
  return { page, nextCursor: context.cursors.issue(filters, { ...page.next, ...(seen && { seen }) }) };
}

/** The required freshness after a read at this position. Without a position, it is unknown where that read took place. */
function freshnessAfter(seen: string | undefined, mayLag: boolean): Freshness {
  return mayLag && seen !== undefined ? { atLeast: seen } : 'newest';
}

/**
 * Like `readOnePage`, for a list whose cursor contains the size of the first page ("limit may be omitted later; when included
 * it must equal the first request's value", GET /v1/organizations).
 */
export async function readFixedSizePage<Position extends object, Page extends PositionedPage<Position>>(
  cursors: PageCursors,
  filters: unknown,
  requested: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  defaultLimit: number,
  read: (after: Position | undefined, limit: number) => Promise<Page & PositionedPage<Position>>,
): Promise<{ page: Page; nextCursor: string | null }> {
  type Sealed = Position & { readonly limit: number };
  const start = requested.cursor === undefined ? undefined : cursors.read<Sealed>(filters, requested.cursor);
  if (start !== undefined && requested.limit !== undefined && requested.limit !== start.limit) {
    throw new AppError('INVALID_REQUEST', `limit: must be ${start.limit}, as on the first page`);
  }
  const limit = start?.limit ?? requested.limit ?? defaultLimit;
  const page = await read(start, limit);
  return { page, nextCursor: page.next === null ? null : cursors.issue(filters, { ...page.next, limit }) };
}

/** Cursors of an endpoint without a scope, such as the operator's, bound to the subject of the page instead. */
export function boundCursors(codec: CursorCodec, binding: readonly unknown[]): PageCursors {
  return {
    issue: (filters, position) => codec.seal([...binding, filters], position),
    read: (filters, cursor) => codec.open([...binding, filters], cursor),
  };
}
