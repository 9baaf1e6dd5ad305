import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { member, organization } from '../../../test/sample-platform.ts';
import type { CallerContext } from '../../access/caller-context.ts';
import type { Database } from '../../db/database.ts';
import { type DependencyFilter, type DependencyPosition, listDependencies } from './list-dependencies.ts';

const [repositoryCount, packageCount, limit] = [60, 500, 50];
const server = await startTestApp();
await server.platform({
  organizations: ['large', 'neighbour'].map((id) =>
    organization({
      provider_organization_id: id,
      members: [member('9001', { role: 'cr_admin' })],
      repositories: Array.from({ length: repositoryCount }, (_, index) => ({
        provider_repository_id: `r${index}`,
        name: `service-${index}`,
      })),
    }),
  ),
});
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
const [own] = await sql<
  { id: string }[]
>`SELECT id FROM organizations WHERE provider_organization_id = 'large'`;
const caller = {
  scope: { organizations: [{ organization: { id: own!.id } }] },
} as unknown as Pick<CallerContext, 'scope'>;

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows of the table that the plan went through, whether or not it kept them. */
function rowsRead(node: PlanNode): number {
  const inner = (node.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0);
  if (node['Relation Name'] !== 'repository_packages') return inner;
  return inner + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}

/** A page, and what reading it went through. */
async function page(filter: DependencyFilter, after?: DependencyPosition) {
  let read = 0;
  // The statement itself is explained before it runs: parts of it pass through here as well.
  const explaining = ((strings: TemplateStringsArray, ...values: never[]) => {
    const statement = sql(strings, ...values);
    if (!strings.join('').includes('CROSS JOIN LATERAL')) return statement;
    return (async () => {
      const [row] = await sql`EXPLAIN (ANALYZE, FORMAT JSON) ${sql(strings, ...values)}`;
      read = rowsRead(row!['QUERY PLAN'][0].Plan);
      return statement;
    })();
  }) as unknown as Database['sql'];
  const { rows, next } = await listDependencies(
    { database: { ...server.database, sql: explaining } },
    caller,
    filter,
    { after, limit },
  );
  return { rows, next, read };
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
      // Two ecosystems have packages; within one repository the filters are looked through.
      const bound = filter.repositoryId === undefined ? 2 * (limit + 1) : packageCount;
      assert.ok(rows.length > 0 || after === deep, what);
      assert.ok(read > 0 && read <= bound, `${what}: ${read} rows were read for ${rows.length}`);
    }
});
