import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLearnings } from '../../../test/learnings-fixture.ts';
import { cloudEvent, pullRequest, pullRequestEvent } from '../../../test/review-events.ts';

const dayMs = 24 * 60 * 60_000;
const server = await startLearnings();

async function countAfterForgetting(): Promise<number> {
  const schedule = server.app.schedules.find(({ name }) => name === 'intake-forget');
  await schedule!.run(new AbortController().signal);
  const [row] = await server.database.sql<
    [{ left: number }]
  >`SELECT count(*)::int AS left FROM received_events`;
  return row.left;
}

/** All rows that events have produced, by table. */
async function dumpTables(): Promise<unknown> {
  const tables = [
    'pull_requests',
    'review_metrics',
    'members',
    'learnings',
    'security_findings',
    'audit_entries',
  ];
  const rowsByTable: Record<string, unknown> = {};
  for (const table of tables) {
    const [row] = await server.database.sql`
      SELECT json_agg(t ORDER BY t::text) AS rows FROM ${server.database.sql(table)} t`;
    rowsByTable[table] = row!.rows;
  }
  return rowsByTable;
}

test('events are forgotten after the window, and sending them again then changes nothing', async () => {
  await server.platform({
    organizations: [
      { provider: 'github', provider_organization_id: '1001', seat_assignment_mode: 'automatic' },
    ],
  });
  const learningId = await server.create('Prefer composition');
  const pull = pullRequest();
  const changed = { ...pull, findings: [], review_iterations: 4 };
  const events = [
    pullRequestEvent(pull),
    pullRequestEvent(changed),
    cloudEvent('postil.finding_outcome', { pr_url: pull.url, finding_id: 'f', accepted: true }),
    cloudEvent('postil.finding_outcome', { pr_url: 'https://early.test/1', finding_id: 'f', accepted: true }),
    cloudEvent('postil.mcp_usage', {
      pr_url: pull.url,
      servers: [{ name: 's', tools: [{ name: 't', calls: 1 }] }],
    }),
    cloudEvent('postil.security_scan', {
      repository_id: '501',
      scan_id: 's1',
      revision: 'r1',
      coverage_scope: 'repository',
      findings: [
        { rule_id: 'r', title: 'T', severity: 'high', file_path: 'a.ts', start_line: 1, end_line: 1 },
      ],
    }),
    cloudEvent('postil.security_scan', {
      repository_id: '501',
      scan_id: 's2',
      revision: 'r2',
      coverage_scope: 'repository',
      findings: [],
    }),
    cloudEvent('postil.learning_used', { learning_id: learningId }),
    cloudEvent('postil.learning_captured', {
      repository_id: '501',
      learning: 'Captured and deleted',
      author_id: '9002',
      origin: 'chat',
    }),
  ];
  const sent = await server.events(events);
  assert.equal(sent.json.accepted, events.length, sent.text);
  const [captured] = (await server.list()).filter(({ learning }) => learning === 'Captured and deleted');
  await server.remove(captured.id);
  const unassigned = await server.call('POST', '/v1/users/seats', {
    key: server.key,
    body: { action: 'unassign', user_ids: ['9002'] },
  });
  assert.equal(unassigned.status, 200, unassigned.text);

  const before = await dumpTables();
  server.now = new Date(server.now.getTime() + 89 * dayMs);
  assert.equal(await countAfterForgetting(), events.length);
  assert.equal((await server.events(events)).json.duplicate, events.length);

  server.now = new Date(server.now.getTime() + 2 * dayMs);
  assert.equal(
    await countAfterForgetting(),
    2,
    'events that are counted, or that could bring back what was deleted, are remembered forever',
  );
  const again = await server.events(events);
  assert.deepEqual([again.json.accepted, again.json.duplicate, again.json.failed], [7, 2, 0], again.text);
  assert.deepEqual(await dumpTables(), before);
});
