import type { PageCursors } from '../../http/endpoint.ts';
import { AppError } from '../../lib/app-error.ts';
import type { NamePosition } from './store.ts';

const defaultLimit = 100;

interface SealedPosition extends NamePosition {
  readonly limit: number;
}

/**
 * Pages whose cursor keeps the size of the first page ("limit may be omitted later; when included it must equal the
 * first request's value", GET /v1/organizations).
 */
export async function fixedSizePage<Row extends NamePosition>(
  cursors: PageCursors,
  filters: unknown,
  asked: { limit?: number | undefined; cursor?: string | undefined },
  find: (after: NamePosition | undefined, limit: number) => Promise<readonly Row[]>,
): Promise<{ rows: readonly Row[]; nextCursor: string | null }> {
  const after = asked.cursor === undefined ? undefined : cursors.read<SealedPosition>(filters, asked.cursor);
  if (after !== undefined && asked.limit !== undefined && asked.limit !== after.limit) {
    throw new AppError('INVALID_REQUEST', `limit: must stay ${after.limit}, as on the first page`);
  }
  const limit = after?.limit ?? asked.limit ?? defaultLimit;
  const found = await find(after, limit + 1);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  const position: SealedPosition | undefined = last && { name: last.name, id: last.id, limit };
  return { rows, nextCursor: position === undefined ? null : cursors.issue(filters, position) };
}
