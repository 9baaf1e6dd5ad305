import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { samplePlatform } from '../../../../test/sample-platform.ts';
import { signInAs } from '../../../../test/session.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const session = await signInAs(server, 'user-9001@acme.test');
const idOf = async (orgId: string) =>
  (await server.database.sql`SELECT id FROM organizations WHERE provider_organization_id = ${orgId}`)[0]!.id;
const [{ id: workspaceId }] = (await server.database.sql`SELECT id FROM workspaces`) as unknown as [
  { id: string },
];

let serial = 0;
async function merge(orgId: string, repositoryId: string, day: string, findings: Record<string, unknown>[]) {
  serial += 1;
  const number = serial;
  const answer = await server.events([
    {
      specversion: '1.0',
      type: 'postil.pull_request',
      source: 'test',
      id: `pr-${number}`,
      time: `${day}T12:00:00Z`,
      data: {
        provider: 'github',
        org_id: orgId,
        repository_id: repositoryId,
        number,
        url: `https://git.test/${orgId}/${number}`,
        state: 'merged',
        created_at: '2026-01-01T00:00:00Z',
        merged_at: `${day}T23:30:00Z`,
        findings: findings.map((finding, index) => ({
          finding_id: `f-${number}-${index}`,
          url: `https://git.test/${orgId}/${number}#${index}`,
          ...finding,
        })),
      },
    },
  ]);
  assert.equal(answer.json.accepted, 1, answer.text);
}
await merge('1001', '501', '2026-05-01', [
  { severity: 'critical', category: 'security_and_privacy', accepted: true },
  { severity: 'minor', accepted: false },
]);
await merge('1001', '502', '2026-05-02', [{ severity: 'critical', accepted: null }, {}]);
await merge('1002', '501', '2026-05-02', [{ severity: 'major', accepted: true }]);
await merge('1001', '501', '2026-04-30', [{ severity: 'info', accepted: true }]);
await merge('1001', '501', '2026-05-03', []);
await merge('3001', '501', '2026-05-01', [{ severity: 'critical', accepted: true }]);

const summary = async (scope: string, query = 'start_date=2026-05-01&end_date=2026-05-02') => {
  const answer = await session.call('GET', `/dashboard/v1/metrics/summary?scope=${scope}&${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

test('accepted, not accepted and unknown are kept apart, by day, severity, category and repository', async () => {
  const sums = await summary(`organization:${await idOf('1001')}`);
  assert.deepEqual(sums.total, { posted: 4, accepted: 1, not_accepted: 1, unknown: 2 });
  assert.deepEqual(sums.days, [
    { date: '2026-05-01', posted: 2, accepted: 1, not_accepted: 1, unknown: 0 },
    { date: '2026-05-02', posted: 2, accepted: 0, not_accepted: 0, unknown: 2 },
  ]);
  const bySeverity = Object.fromEntries(
    sums.severities.map((row: { name: string | null; posted: number }) => [row.name, row.posted]),
  );
  assert.deepEqual(bySeverity, { critical: 2, minor: 1, null: 1 });
  assert.deepEqual(
    sums.categories.find((row: { name: string | null }) => row.name === null).posted,
    3,
    'without a category',
  );
  assert.deepEqual(
    sums.repositories.map((row: { name: string; posted: number }) => [row.name, row.posted]).sort(),
    [
      ['org-1001 / api', 2],
      ['org-1001 / web', 2],
    ],
  );
});

test('a workspace sums up its own organizations only, whichever storage holds their metrics', async () => {
  const before = await summary(`workspace:${workspaceId}`);
  assert.equal(before.total.posted, 5);
  await server.platform({
    organizations: [{ provider: 'github', provider_organization_id: '1002', metrics_isolated: true }],
  });
  const preparing = await session.call(
    'GET',
    `/dashboard/v1/metrics/summary?scope=workspace:${workspaceId}&start_date=2026-05-01&end_date=2026-05-02`,
  );
  assert.deepEqual([preparing.status, preparing.json.error.code], [503, 'METRICS_PREPARING']);
  const move = server.app.schedules.find(({ name }) => name === 'move-metrics')!;
  for (let run = 0; run < 5; run += 1) await move.run(new AbortController().signal);
  assert.deepEqual(await summary(`workspace:${workspaceId}`), before);
});

test('repositories filter the totals, and a window without comments is all zeros', async () => {
  const scope = `organization:${await idOf('1001')}`;
  const narrowed = await summary(scope, 'start_date=2026-05-01&end_date=2026-05-02&repository_ids=502');
  assert.equal(narrowed.total.posted, 2);
  const none = await summary(scope, 'start_date=2020-01-01&end_date=2020-01-02');
  assert.deepEqual(none.total, { posted: 0, accepted: 0, not_accepted: 0, unknown: 0 });
  assert.deepEqual(none.days, []);
});
