import assert from 'node:assert/strict';
import type { CallerContext } from '../src/access/caller-context.ts';
import type { Database } from '../src/db/database.ts';
import { startTestApp } from './harness.ts';
import { member, organization } from './sample-platform.ts';

/** An organization with many repositories beside one of the same size, and somebody who may read all of it. */
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

/** Rows of these tables that the plan went through, whether or not it kept them. */
function rowsRead(node: PlanNode, tables: readonly string[]): number {
  const inner = (node.Plans ?? []).reduce((sum, each) => sum + rowsRead(each, tables), 0);
  if (!tables.includes(node['Relation Name'] ?? '')) return inner;
  return inner + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}

/**
 * What `work` gives, and how many rows of these tables its statement with this word went through. The statement is explained
 * before it runs; parts of it pass through here as well, so the word must stand in the whole of it only.
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
