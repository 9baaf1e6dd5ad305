import assert from 'node:assert/strict';
import type { CallerContext } from '../src/access/caller-context.ts';
import type { Database } from '../src/db/database.ts';
import { startTestApp } from './harness.ts';
import { member, organization } from './sample-platform.ts';

/**
 * Starts an app with an organization with many repositories, another one of the same size, and a person who may read all of the
 * first.
 */
export async function startLargePlatform(repositoryCount: number) {
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
  const [own] = await server.database.sql<{ id: string }[]>`
    SELECT id FROM organizations WHERE provider_organization_id = 'large'`;
  const scope = { organizations: [{ organization: { id: own!.id } }] };
  return { server, caller: { scope } as unknown as Pick<CallerContext, 'scope'> };
}

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The number of rows of these tables that the plan read, including those that it filtered out. */
function rowsRead(node: PlanNode, tables: readonly string[]): number {
  const inner = (node.Plans ?? []).reduce((sum, each) => sum + rowsRead(each, tables), 0);
  if (!tables.includes(node['Relation Name'] ?? '')) return inner;
  return inner + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}

/**
 * Returns the result of `work`, and the number of rows of these tables that its statement with this word read. The statement is
 * explained before it runs. Fragments of it pass through here as well, so the word must occur only in the complete statement.
 */
export async function countRowsRead<Result>(
  database: Database,
  word: string,
  tables: readonly string[],
  work: (database: Database) => Promise<Result>,
): Promise<{ readonly result: Result; readonly read: number }> {
  const { sql } = database;
  let read: number | undefined;
  const explaining = ((strings: TemplateStringsArray, ...values: never[]) => {
    const statement = sql(strings, ...values);
    if (!strings.join('').includes(word)) return statement;
    return (async () => {
      const [row] = await sql`EXPLAIN (ANALYZE, FORMAT JSON) ${sql(strings, ...values)}`;
      read = rowsRead(row!['QUERY PLAN'][0].Plan, tables);
      return statement;
    })();
  }) as unknown as Database['sql'];
  const result = await work({ ...database, sql: explaining });
  assert.ok(read !== undefined, `no statement with ${word}`);
  return { result, read };
}
