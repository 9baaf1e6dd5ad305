import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { membershipOf, metricsLists, reportPullRequests } from '../../../../test/listed-pull-requests.ts';
import { readAllPages, withoutLimits } from '../../../../test/metrics-reader.ts';
import fc from '../../../../test/properties.ts';
import { organization } from '../../../../test/sample-platform.ts';

const server = await startTestApp(withoutLimits);
const organizationIds = ['1', '2', '3', '4', '5'];
await server.platform({
  workspaces: [{ slug: 'acme', name: 'Acme', admins: ['user-9001@acme.test'] }],
  organizations: organizationIds.map((id) =>
    organization({ provider_organization_id: id, workspace: 'acme', name: `org-${id}` }),
  ),
});
const workspaceKey = await server.createKey({
  kind: 'workspace',
  workspace: 'acme',
  owner: 'user-9001@acme.test',
  expires_at: '2027-01-31T00:00:00Z',
});

const dayMs = 86_400_000;
const firstDay = Date.parse('2023-11-20T00:00:00Z');
const spanDays = 900;

// A fixed mixture: most dates close together, some far away.
function dateOf(serial: number): string {
  if (serial % 50 === 49) return serial % 100 === 99 ? '1999-12-31' : '2031-01-01';
  const day = (serial * serial * 7 + serial * 13) % spanDays;
  return new Date(firstDay + day * dayMs).toISOString().slice(0, 10);
}

const made = await reportPullRequests(
  server,
  Array.from({ length: 400 }, (_, serial) => ({
    orgId: organizationIds[serial % 3 === 0 ? 0 : serial % organizationIds.length]!,
    repositoryId: serial % 4 === 0 ? '502' : '501',
    authorId: serial % 5 === 0 ? null : `author-${serial % 7}`,
    date: dateOf(serial),
    ...membershipOf(serial),
  })),
);

const someDay = fc
  .integer({ min: 0, max: spanDays })
  .map((day) => new Date(firstDay + day * dayMs).toISOString().slice(0, 10));
const bound = fc.oneof(
  { weight: 8, arbitrary: someDay },
  { weight: 1, arbitrary: fc.constantFrom('0001-01-01', '1999-12-31', '2031-01-01', '9999-12-31') },
);
const question = fc.record({
  list: fc.constantFrom(...Object.keys(metricsLists)),
  days: fc.tuple(bound, bound).map((days) => days.toSorted() as [string, string]),
  orgId: fc.option(fc.constantFrom(...organizationIds), { nil: null }),
  repositoryIds: fc.option(fc.subarray(['501', '502', '999'], { minLength: 1 }), { nil: null, freq: 2 }),
  authorIds: fc.option(fc.subarray(['author-1', 'author-2', 'author-3', 'nobody'], { minLength: 1 }), {
    nil: null,
    freq: 2,
  }),
  limits: fc.array(fc.oneof(fc.integer({ min: 7, max: 60 }), fc.constant(1000)), {
    minLength: 1,
    maxLength: 3,
  }),
});

test('pages with any limits together are the whole selection in write order', async () => {
  await fc.assert(
    fc.asyncProperty(question, async ({ list, days, orgId, repositoryIds, authorIds, limits }) => {
      const [start, end] = days;
      const path = [
        `/v1/metrics/${list}start_date=${start}&end_date=${end}`,
        orgId !== null && `org_id=${orgId}`,
        repositoryIds !== null && `repository_ids=${repositoryIds}`,
        authorIds !== null && `user_ids=${authorIds}`,
      ].filter((part) => part !== false);
      const expected = made.filter(
        (one) =>
          metricsLists[list]!(one) &&
          one.date >= start &&
          one.date <= end &&
          (orgId === null || one.orgId === orgId) &&
          (repositoryIds === null || repositoryIds.includes(one.repositoryId)) &&
          (authorIds === null || (one.authorId !== null && authorIds.includes(one.authorId))),
      );
      const read = await readAllPages(server.get, path.join('&'), workspaceKey, limits);
      assert.deepEqual(
        read.map(({ pr_url }) => pr_url),
        expected.map(({ url }) => url),
      );
    }),
    { numRuns: 150 },
  );
});

test('windows of a single day, and windows across neighbouring spans, find their entries', async () => {
  const days = [...new Set(made.map(({ date }) => date))].sort();
  const merged = made.filter(metricsLists['review-comments?']!);
  const windows = [
    ...days.filter((_, index) => index % 9 === 0).map((day) => [day, day] as const),
    ...[4, 16, 64, 256].flatMap((size) =>
      [0, 1, size - 1].map((offset) => {
        const first = firstDay + (size + offset) * dayMs;
        const date = (time: number) => new Date(time).toISOString().slice(0, 10);
        return [date(first), date(first + 2 * size * dayMs)] as const;
      }),
    ),
  ];
  for (const [start, end] of windows) {
    const path = `/v1/metrics/review-comments?start_date=${start}&end_date=${end}`;
    const read = await readAllPages(server.get, path, workspaceKey);
    assert.deepEqual(
      read.map(({ pr_url }) => pr_url),
      merged.filter(({ date }) => date >= start && date <= end).map(({ url }) => url),
      `${start} to ${end}`,
    );
  }
});
