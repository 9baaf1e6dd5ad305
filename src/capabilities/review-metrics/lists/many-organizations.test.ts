import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { membershipOf, metricsLists, reportPullRequests } from '../../../../test/listed-pull-requests.ts';
import { readAllPages, withoutLimits } from '../../../../test/metrics-reader.ts';
import fc from '../../../../test/properties.ts';
import { organization } from '../../../../test/sample-platform.ts';
import { rowsFrom } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { createPageMemory } from '../../../lib/wire/page-memory.ts';
import { dayOfDate } from '../order/day-spans.ts';
import { moveMetrics } from '../storage/move-metrics.ts';
import { sharedStorage } from '../storage/storage-map.ts';
import { countColumns } from '../sums/comment-counts.ts';
import { countSums, readSums, type Sums, type SumsRequest } from '../sums/read-sums.ts';
import { sumComments } from '../sums/sum-comments.ts';
import { reviewCommentList } from './list-definitions.ts';
import { readPageInOneStatement } from './page-statement.ts';
import { scanQuery } from './scan-statement.ts';

const server = await startTestApp(withoutLimits);
const { sql } = server.database;
const ownIds = Array.from({ length: 12 }, (_, index) => `own-${index}`);
const isolatedId = ownIds[0]!;
const strangerIds = ['stranger-0', 'stranger-1', 'stranger-2'];
const admins = ['user-9001@acme.test'];
await server.platform({
  workspaces: [
    { slug: 'acme', name: 'Acme', admins },
    { slug: 'others', name: 'Others', admins },
  ],
  organizations: [...ownIds, ...strangerIds].map((id) =>
    organization({
      provider_organization_id: id,
      workspace: ownIds.includes(id) ? 'acme' : 'others',
      name: id,
      metrics_isolated: id === isolatedId,
    }),
  ),
});
await moveMetrics(server.database, new AbortController().signal);
const key = await server.createKey({
  kind: 'workspace',
  workspace: 'acme',
  owner: admins[0],
  expires_at: '2027-01-31T00:00:00Z',
});

const dayMs = 86_400_000;
const firstTime = Date.parse('2024-02-01T00:00:00Z');
const dateOf = (day: number) => new Date(firstTime + day * dayMs).toISOString().slice(0, 10);
const spanDays = 700;

// Most pull requests belong to other organizations and to a few weeks, so that scans of narrow windows there find too little
// and are cut short.
const made = await reportPullRequests(
  server,
  Array.from({ length: 700 }, (_, serial) => ({
    orgId: serial % 9 > 1 ? strangerIds[serial % 3]! : ownIds[serial % 7 === 0 ? 0 : serial % 12]!,
    date: dateOf(serial % 4 === 3 ? (serial * serial * 7) % spanDays : 300 + ((serial * 13) % 40)),
    ...membershipOf(serial),
  })),
);

const someDay = fc
  .oneof(fc.integer({ min: 0, max: spanDays }), fc.integer({ min: 290, max: 350 }))
  .map(dateOf);
const bound = fc.oneof(
  { weight: 8, arbitrary: someDay },
  { weight: 1, arbitrary: fc.constantFrom('0001-01-01', '2020-01-01', '2030-01-01', '9999-12-31') },
);

test('pages over many organizations are their whole selection in write order, and nothing of others', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(metricsLists)),
      fc.tuple(bound, bound).map((days) => days.toSorted() as [string, string]),
      fc.array(fc.oneof(fc.integer({ min: 3, max: 40 }), fc.constant(1000)), { minLength: 1, maxLength: 3 }),
      async (list, [start, end], limits) => {
        const expected = made.filter(
          (one) =>
            ownIds.includes(one.orgId) && metricsLists[list]!(one) && one.date >= start && one.date <= end,
        );
        const path = `/v1/metrics/${list}start_date=${start}&end_date=${end}`;
        const read = await readAllPages(server.get, path, key, limits);
        assert.deepEqual(
          read.map(({ pr_url }) => pr_url),
          expected.map(({ url }) => url),
        );
      },
    ),
    { numRuns: 60 },
  );
});

async function sharedOrganizations() {
  const rows = await sql<{ organizationId: OrganizationId }[]>`
    SELECT id AS "organizationId" FROM organizations WHERE name LIKE 'own-%' AND name <> ${isolatedId}`;
  return rows.map(({ organizationId }) => ({ organizationId, storageId: sharedStorage }));
}

async function scan(start: string, end: string, limit: number) {
  const query = scanQuery({
    list: reviewCommentList,
    storages: await sharedOrganizations(),
    firstDay: dayOfDate(start),
    lastDay: dayOfDate(end),
    after: 0,
    limit,
  });
  if (query === undefined) return 'not scanned';
  const { page } = await readPageInOneStatement(rowsFrom(sql), query, createPageMemory());
  return page === undefined ? 'gave up' : 'whole';
}

test('a scan ends when the page is full, and gives up when too little of what it sees is wanted', async () => {
  assert.equal(await scan(dateOf(0), dateOf(spanDays), 1000), 'whole');
  assert.equal(await scan(dateOf(0), dateOf(spanDays), 5), 'whole');
  assert.equal(await scan(dateOf(330), dateOf(333), 10), 'gave up');
});

test('the sums of many organizations are those of their entries, by day, repository and in all', async () => {
  const organizations = await sharedOrganizations();
  const [firstDay, lastDay] = [dayOfDate(dateOf(150)), dayOfDate(dateOf(515))];
  const request: SumsRequest = { organizations, repositoryIds: null, firstDay, lastDay };
  const inOrder = ({ days, repositories, all }: Sums) => ({
    all: countColumns.map((name) => all[name]),
    days: days.map(({ day, posted, accepted }) => [day, posted, accepted].join()).sort(),
    repositories: repositories.map(({ repository_id, posted }) => [repository_id, posted].join()).sort(),
  });
  const read = () =>
    server.database.transaction(
      async (tx) => ({
        sums: inOrder(await readSums(server.database, tx, request)),
        counted: inOrder(await countSums(tx, request)),
      }),
      { isolation: 'repeatable read', readOnly: true },
    );
  const noted = await read();
  await sumComments(server.database, new AbortController().signal);
  const folded = await read();
  assert.ok(noted.counted.days.length > 10);
  assert.deepEqual(noted.sums, noted.counted);
  assert.deepEqual(folded.sums, noted.counted);
});

test('a window of centuries without any entry is an empty page', async () => {
  const path = '/v1/metrics/review-comments?start_date=1500-01-01&end_date=1900-01-01';
  assert.deepEqual(await readAllPages(server.get, path, key), []);
});

test('a window of one day is not scanned, since its streams are few', async () => {
  assert.equal(await scan(dateOf(330), dateOf(330), 1000), 'not scanned');
});
