import type { Database } from '../../db/database.ts';
import type { Ecosystem } from '../../reviewer/review-report.ts';
import type { Advisory } from '../../reviewer/rules/dependencies/osv/advisory.ts';
import { lookAfterAdvisories } from '../dependencies/look-again.ts';

export interface ImportedAdvisories {
  readonly stored: number;
  readonly withdrawn: number;
  readonly total: number;
}

/**
 * Merges advisories by their ids: the given ones replace stored ones, withdrawn ones are deleted, all others stay.
 * Idempotent.
 */
export async function importAdvisories(
  { database }: { readonly database: Database },
  {
    advisories,
    withdrawn,
  }: { readonly advisories: readonly Advisory[]; readonly withdrawn: readonly string[] },
): Promise<ImportedAdvisories> {
  const given = [...new Map(advisories.map((advisory) => [advisory.id, advisory])).values()];
  return database.transaction(async (tx) => {
    const before = await tx<{ advisory_id: string; ecosystem: Ecosystem; name: string }[]>`
      SELECT advisory_id, ecosystem, name FROM osv_affected
      WHERE advisory_id = ANY(${[...given.map(({ id }) => id), ...withdrawn]}::text[])`;
    const gone = await tx<
      { id: string }[]
    >`DELETE FROM osv_advisories WHERE id = ANY(${[...withdrawn]}::text[]) RETURNING id`;
    const stored = await tx<{ id: string }[]>`
      INSERT INTO osv_advisories (id, advisory)
      SELECT id, advisory::jsonb FROM unnest(${given.map(({ id }) => id)}::text[], ${given.map((each) => JSON.stringify(each))}::text[]) AS given (id, advisory)
      ORDER BY id
      ON CONFLICT (id) DO UPDATE SET advisory = excluded.advisory WHERE osv_advisories.advisory <> excluded.advisory
      RETURNING id`;
    const ids = new Set(stored.map(({ id }) => id));
    const changed = given.filter(({ id }) => ids.has(id));
    await tx`DELETE FROM osv_affected WHERE advisory_id = ANY(${[...ids]}::text[])`;
    const rows = changed.flatMap(({ id, affected }) =>
      affected.map(({ ecosystem, name }) => ({ id, ecosystem, name })),
    );
    await tx`
      INSERT INTO osv_affected (ecosystem, name, advisory_id)
      SELECT * FROM unnest(${rows.map(({ ecosystem }) => ecosystem)}::text[], ${rows.map(({ name }) => name)}::text[], ${rows.map(({ id }) => id)}::text[])
      ON CONFLICT DO NOTHING`;
    const former = new Set([...ids, ...gone.map(({ id }) => id)]);
    await lookAfterAdvisories(tx, [...rows, ...before.filter((each) => former.has(each.advisory_id))]);
    const [counted] = await tx<[{ total: number }]>`SELECT count(*)::int AS total FROM osv_advisories`;
    return { stored: stored.length, withdrawn: gone.length, total: counted.total };
  });
}
