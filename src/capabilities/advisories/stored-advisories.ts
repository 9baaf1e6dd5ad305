import type { Database } from '../../db/database.ts';
import type { Advisory } from '../../reviewer/rules/dependencies/osv/advisory.ts';
import type { FindAdvisories } from '../../reviewer/rules/dependencies/osv/find-advisories.ts';

/** Looks up imported advisories. */
export function storedAdvisories(database: Database): FindAdvisories {
  return async (packages) => {
    const [any] = await database.sql`SELECT 1 FROM osv_advisories LIMIT 1`;
    if (any === undefined) return null;
    const rows = await database.sql<{ advisory: Advisory }[]>`
      SELECT advisory FROM osv_advisories WHERE id IN (
        SELECT advisory_id FROM osv_affected
        JOIN unnest(${packages.map(({ ecosystem }) => ecosystem)}::text[], ${packages.map(({ name }) => name)}::text[]) AS asked (ecosystem, name)
        USING (ecosystem, name))
      ORDER BY id`;
    return { advisories: rows.map(({ advisory }) => advisory), notes: [] };
  };
}
