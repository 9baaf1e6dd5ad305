import { AppError } from '../lib/app-error.ts';
import type { CursorCodec } from './cursor.ts';
import type { PageCursors } from './endpoint.ts';

/** A page of a list, and the position after which the next one starts; null on the last page. */
export interface PositionedPage<Position> {
  readonly next: Position | null;
}

/**
 * Reads one page of a list: the request's cursor becomes the position after which a verb starts, and the position where
 * the verb stopped becomes the next cursor. Verbs know positions, never cursors.
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

/**
 * The same for a list whose cursor keeps the size of the first page ("limit may be omitted later; when included it must
 * equal the first request's value", GET /v1/organizations).
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

/** Cursors of an endpoint without a scope, such as the operator's, bound to what the page is about. */
export function boundCursors(codec: CursorCodec, binding: readonly unknown[]): PageCursors {
  return {
    issue: (filters, position) => codec.seal([...binding, filters], position),
    read: (filters, cursor) => codec.open([...binding, filters], cursor),
  };
}
