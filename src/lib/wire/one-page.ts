/** Takes a page from the rows that were read: one more than fits, to see whether another page follows. */
export function cutPage<Row, Position>(
  found: readonly Row[],
  limit: number,
  positionOf: (last: Row) => Position,
): { rows: readonly Row[]; next: Position | null } {
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? positionOf(rows.at(-1)!) : null };
}
