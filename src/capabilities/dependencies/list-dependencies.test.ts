import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countRowsRead, startLargePlatform } from '../../../test/large-platform.ts';
import { type DependencyFilter, type DependencyPosition, listDependencies } from './list-dependencies.ts';

const [repositoryCount, packageCount, limit] = [60, 500, 50];
const { server, caller } = await startLargePlatform(repositoryCount);
const { sql } = server.database;
await sql`
  INSERT INTO repository_inventories (organization_id, repository_id, due_at)
  SELECT organization_id, id, 'infinity' FROM repositories`;
await sql`
  INSERT INTO repository_packages (organization_id, repository_id, ecosystem, name, version, is_fixed, is_direct, path, severity)
  SELECT organization_id, id, CASE WHEN n % 5 = 0 THEN 'Go' ELSE 'npm' END, 'package-' || lpad(n::text, 4, '0'), '1.' || n % 7, true,
    false, 'package-lock.json', CASE WHEN n % 13 = 0 THEN 'major' END
  FROM repositories, generate_series(1, ${packageCount}::int) AS n`;
await sql`ANALYZE repository_packages`;

/** A page, and the number of rows that reading it went through. */
async function page(filter: DependencyFilter, after?: DependencyPosition) {
  const { result, read } = await countRowsRead(
    server.database,
    'CROSS JOIN LATERAL',
    ['repository_packages'],
    (database) => listDependencies({ database }, caller, filter, { after, limit }),
  );
  return { ...result, read };
}

test('a page reads few rows more than it shows, however far behind it is and whatever is asked for', async () => {
  const deep: DependencyPosition = {
    ecosystem: 'npm',
    name: 'package-0450',
    version: '1.0',
    repository: '00000000-0000-0000-0000-000000000000',
  };
  const filters: Record<string, DependencyFilter> = {
    everything: {},
    'one ecosystem': { ecosystem: 'npm' },
    'names that begin so': { name: 'PACKAGE-04' },
    'what is affected': { isAffected: true },
    'one repository': { repositoryId: 'r30' },
    'all at once': { repositoryId: 'r30', ecosystem: 'npm', isAffected: true },
  };
  for (const [what, filter] of Object.entries(filters))
    for (const after of [undefined, deep]) {
      const { rows, read } = await page(filter, after);
      // Two ecosystems have packages; within one repository, the filters are applied row by row.
      const bound = filter.repositoryId === undefined ? 2 * (limit + 1) : packageCount;
      assert.ok(rows.length > 0 || after === deep, what);
      assert.ok(read > 0 && read <= bound, `${what}: ${read} rows were read for ${rows.length}`);
    }
});
