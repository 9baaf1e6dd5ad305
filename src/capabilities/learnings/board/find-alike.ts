import type { CallerContext } from '../../../access/caller-context.ts';
import type { Db, Fragment } from '../../../db/database.ts';
import { isInUse } from './health.ts';

/** Another Learning of the repository that may say the same or the opposite. */
export interface AlikeLearning {
  readonly id: string;
  readonly learning: string;
  readonly usage_count: number;
  readonly kind: 'duplicate' | 'conflict';
  /** From 0 to 1, by meaning. */
  readonly likeness: number;
  /** In a conflict, the word that only one of the two advises against; null otherwise. */
  readonly word: string | null;
  /** Whether it is the other one that advises against the word; null if there is no conflict. */
  readonly is_other_against: boolean | null;
}

const maxShown = 5;

/** The Learnings that are similar to those of a page, by the ids of the latter; dismissed pairs are left out. */
export async function findAlike(
  db: Db,
  { now }: Pick<CallerContext, 'now'>,
  page: readonly { readonly organization_id: string; readonly id: string }[],
): Promise<Map<string, AlikeLearning[]>> {
  if (page.length === 0) return new Map();
  const pairs = (own: Fragment, other: Fragment) => db`
    SELECT ${other} AS other_id, p.kind, p.likeness, p.word, p.against_id FROM learning_likenesses p
    WHERE p.organization_id = k.organization_id AND ${own} = k.id AND p.dismissed_at IS NULL`;
  const [first, second] = [db`p.learning_id`, db`p.other_id`];
  const rows = await db<(AlikeLearning & { of: string })[]>`
    SELECT k.id AS of, found.* FROM unnest(${page.map((row) => row.organization_id)}::uuid[], ${page.map(({ id }) => id)}::uuid[])
      AS k (organization_id, id)
    CROSS JOIN LATERAL (
      SELECT l.id, l.learning, l.usage_count::int AS usage_count, p.kind, p.likeness::float8 AS likeness, p.word,
        p.against_id = l.id AS is_other_against
      FROM (${pairs(first, second)} UNION ALL ${pairs(second, first)}) AS p
      JOIN learnings l ON l.organization_id = k.organization_id AND l.id = p.other_id AND ${isInUse(db, now)}
      ORDER BY p.kind, p.likeness DESC, l.id LIMIT ${maxShown}) AS found`;
  const byLearning = Map.groupBy(rows, ({ of }) => of);
  return new Map(
    [...byLearning].map(([id, found]) => [
      id,
      found.map(({ of: _, likeness, ...alike }) => ({
        ...alike,
        likeness: Math.round(likeness * 100) / 100,
      })),
    ]),
  );
}
