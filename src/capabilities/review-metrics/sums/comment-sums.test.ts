import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CountedWindow, countComments } from '../../../../test/counted-comments.ts';
import { startTestApp } from '../../../../test/harness.ts';
import { withoutLimits } from '../../../../test/metrics-reader.ts';
import { createTestDatabase } from '../../../../test/postgres.ts';
import fc from '../../../../test/properties.ts';
import { cloudEvent, finding, pullRequest, pullRequestEvent } from '../../../../test/review-events.ts';
import { freshId, samplePlatform } from '../../../../test/sample-platform.ts';
import { signInAs } from '../../../../test/session.ts';
import { restore } from '../../../db/backup/restore-backup.ts';
import { backup } from '../../../db/backup/write-backup.ts';
import { migrate } from '../../../db/schema/migrate.ts';
import { readMigrations } from '../../../db/schema/migrations.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { categories, severities } from '../../../reviewer/finding-vocabulary.ts';
import { dayOfDate } from '../order/day-spans.ts';
import { moveMetrics } from '../storage/move-metrics.ts';
import { createPartition, moveBatch, readStorageState, redirectWrites } from '../storage/partitions.ts';
import { readSums } from './read-sums.ts';
import { sumComments } from './sum-comments.ts';

const server = await startTestApp(withoutLimits);
await server.platform(samplePlatform());
const { database } = server;
const { sql } = database;
const session = await signInAs(server, 'user-9001@acme.test');
const [{ id: workspaceId }] = (await sql`SELECT id FROM workspaces`) as unknown as [{ id: string }];
const never = new AbortController().signal;
const sum = () => sumComments(database, never);
const orgIds = ['1001', '1002'];
const everything: CountedWindow = { start: '2025-01-01', end: '2027-12-31' };

const idOf = async (orgId: string) =>
  (
    await sql<
      { id: OrganizationId }[]
    >`SELECT id FROM organizations WHERE provider_organization_id = ${orgId}`
  )[0]!.id;

async function overview({ start, end, repositories }: CountedWindow) {
  const filter = repositories === undefined ? '' : `&repository_ids=${repositories.join(',')}`;
  const answer = await session.call(
    'GET',
    `/dashboard/v1/metrics/summary?scope=workspace:${workspaceId}&start_date=${start}&end_date=${end}${filter}`,
  );
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

async function assertExact(window: CountedWindow = everything) {
  assert.deepEqual(await overview(window), await countComments(sql, orgIds, window));
}

async function send(events: readonly unknown[], on?: Parameters<typeof server.events>[1]) {
  const answer = await server.events(events, on);
  assert.equal(answer.json.failed, 0, answer.text);
}

const pendingChanges = async () => (await sql`SELECT 1 FROM comment_sum_changes`).length;
const backlog = async () => (await sql`SELECT 1 FROM comment_sum_backlog`).length;

/** What the migration leaves on a database with entries: nothing is counted yet. */
async function forgetSums() {
  await database.transaction(async (tx) => {
    await tx`DELETE FROM comment_sum_changes`;
    await tx`DELETE FROM repository_comment_sums`;
    await tx`DELETE FROM organization_comment_sums`;
    await tx`INSERT INTO comment_sum_backlog SELECT organization_id, id FROM repositories`;
  });
}

const time = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const date = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);

const accepted = fc.constantFrom(true, false, null, undefined);
const findings = fc.uniqueArray(
  fc.record({
    id: fc.nat(3),
    severity: fc.constantFrom(...severities, null, 'unheard-of'),
    category: fc.constantFrom(...categories, null),
    accepted,
  }),
  { selector: ({ id }) => id, maxLength: 4 },
);
// Few pull requests, minutes and days, so that events are late, repeated and contradict each other.
const step = fc.oneof(
  fc.record({
    kind: fc.constant('pull request' as const),
    place: fc.nat(5),
    minute: fc.nat(9),
    state: fc.constantFrom('open', 'merged', 'merged', 'closed'),
    day: fc.oneof(fc.nat(5), fc.nat(500)),
    findings: fc.option(findings, { nil: undefined }),
  }),
  fc.record({
    kind: fc.constant('outcome' as const),
    place: fc.nat(5),
    minute: fc.nat(9),
    id: fc.nat(3),
    accepted,
  }),
  fc.record({ kind: fc.constant('send' as const), sums: fc.boolean(), repeats: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Six pull requests in two repositories of two organizations. */
function eventOf(run: number, made: Exclude<Step, { kind: 'send' }>) {
  const org_id = orgIds[made.place % 2]!;
  const number = run * 10 + made.place;
  const url = `https://git.test/${org_id}/${number}`;
  const idOfFinding = (id: number) => `f-${number}-${id}`;
  if (made.kind === 'outcome') {
    const outcome = { finding_id: idOfFinding(made.id), accepted: made.accepted ?? null };
    return cloudEvent('postil.finding_outcome', { org_id, pr_url: url, ...outcome }, time(made.minute));
  }
  const data = {
    org_id,
    repository_id: made.place < 3 ? '501' : '502',
    number,
    url,
    state: made.state,
    created_at: '2025-12-01T00:00:00Z',
    merged_at: made.state === 'merged' ? `${date(made.day)}T23:30:00Z` : null,
    ...(made.findings !== undefined && {
      findings: made.findings.map(({ id, ...facts }) => ({ ...facts, finding_id: idOfFinding(id), url })),
    }),
  };
  return pullRequestEvent(data, time(made.minute));
}

describe('the overview out of daily sums', () => {
  let run = 0;
  test('is a full count of the entries after any sequence of events, at any moment, in any window', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 30 }),
        fc.nat(500),
        fc.nat(500),
        async (steps, one, other) => {
          run += 1;
          let waiting: unknown[] = [];
          for (const made of [...steps, { kind: 'send', sums: false, repeats: false } as const]) {
            if (made.kind !== 'send') {
              waiting.push(eventOf(run, made));
              continue;
            }
            if (waiting.length > 0) await send(made.repeats ? [...waiting, ...waiting] : waiting);
            if (made.sums) await sum();
            waiting = [];
            await assertExact();
          }
          const window = { start: date(Math.min(one, other)), end: date(Math.max(one, other)) };
          await assertExact(window);
          await sum();
          assert.equal(await pendingChanges(), 0);
          await assertExact(window);
          await assertExact({ ...window, repositories: ['502'] });
        },
      ),
      { numRuns: 40 },
    );
  });

  test('has nothing left when the last comment of a day is gone', async () => {
    const made = pullRequest({ org_id: '1001', merged_at: '2027-11-11T00:00:00Z' });
    const day = { start: '2027-11-11', end: '2027-11-11' };
    await send([pullRequestEvent(made)]);
    await sum();
    assert.equal((await overview(day)).total.posted, 1);
    await send([pullRequestEvent({ ...made, state: 'open', merged_at: null })]);
    await sum();
    const { total, days, severities, categories, repositories } = await overview(day);
    assert.deepEqual([total.posted, days, severities, categories, repositories], [0, [], [], [], []]);
  });

  test('is exact with many writers of the same pull requests and days on two nodes, and sums made meanwhile', async () => {
    const other = await server.secondNode();
    const shared = Array.from({ length: 6 }, (_, index) =>
      pullRequest({ org_id: orgIds[index % 2], findings: [finding(), finding(), finding()] }),
    );
    let isWriting = true;
    const summing = Array.from({ length: 2 }, async () => {
      while (isWriting) await sum();
    });
    const writing = Array.from({ length: 6 }, async (_, writer) => {
      for (let turn = 0; turn < 8; turn += 1) {
        const events = shared.map((data, index) =>
          pullRequestEvent({
            ...data,
            merged_at: `2026-03-${10 + ((writer + turn + index) % 4)}T00:00:00Z`,
            findings: (data.findings as object[]).slice((writer + turn) % 3),
          }),
        );
        const own = pullRequestEvent(pullRequest({ org_id: orgIds[writer % 2] }));
        await send([...events, own], writer % 2 === 0 ? server : other);
      }
    });
    await Promise.all(writing).finally(() => {
      isWriting = false;
    });
    await Promise.all(summing);
    await assertExact();
    await sum();
    assert.equal(await pendingChanges(), 0);
    await assertExact();
  });

  test('follows changed names of repositories', async () => {
    await server.platform({
      organizations: [
        {
          provider: 'github',
          provider_organization_id: '1001',
          repositories: [{ provider_repository_id: '501', name: 'renamed' }],
        },
      ],
    });
    await assertExact();
    const { repositories } = await overview(everything);
    assert.ok(repositories.some(({ name }: { name: string }) => name.endsWith(' / renamed')));
  });
});

describe('entries that were there before the sums', () => {
  test('are in the overview before and after they are counted', async () => {
    await send([pullRequestEvent(pullRequest({ org_id: '1002' }))]);
    await forgetSums();
    await assertExact();
    await assertExact({ ...everything, repositories: ['501'] });
    assert.ok((await backlog()) > 0);
    await sum();
    assert.equal(await backlog(), 0);
    await assertExact();
  });

  test('are counted once, although events change them meanwhile and two nodes count', async () => {
    const made = Array.from({ length: 10 }, () => pullRequest({ org_id: '1001' }));
    await send(made.map((data) => pullRequestEvent(data)));
    await forgetSums();
    let isCounting = true;
    const writing = (async () => {
      do
        await send(
          made.map((data) =>
            pullRequestEvent({ ...data, merged_at: `2026-04-${10 + (Number(freshId()) % 9)}T00:00:00Z` }),
          ),
        );
      while (isCounting);
    })();
    await Promise.all([sum(), sum()]);
    isCounting = false;
    await writing;
    await sum();
    assert.deepEqual([await backlog(), await pendingChanges()], [0, 0]);
    await assertExact();
  });

  test('are added in spite of a deadlock with another node that takes the same changes', async () => {
    await sum();
    for (let batch = 0; batch < 3; batch += 1)
      await send([pullRequestEvent(pullRequest({ org_id: '1001' }))]);
    const held = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const holding = database.transaction(async (tx) => {
      await tx`
        SELECT 1 FROM comment_sum_changes WHERE id = (
          SELECT id FROM comment_sum_changes ORDER BY organization_id DESC, id DESC OFFSET 1 LIMIT 1) FOR UPDATE`;
      held.resolve();
      await released.promise;
    });
    await held.promise;
    const countWaiting = async () =>
      (await sql`SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'`).length;
    const other = await database.transaction(async (tx) => {
      await tx`SET LOCAL deadlock_timeout = '1h'`; // so that the other one is rolled back
      await tx`SELECT 1 FROM comment_sum_changes ORDER BY organization_id DESC, id DESC LIMIT 1 FOR UPDATE`;
      // It waits for the one in the middle, and this one for it, before it gets to the last: PostgreSQL looks for a deadlock
      // once, a second after the beginning of a wait.
      const summing = sum();
      while ((await countWaiting()) < 1) await sleep(5);
      const taking = Promise.all([tx`SELECT 1 FROM comment_sum_changes FOR UPDATE`]);
      while ((await countWaiting()) < 2) await sleep(5);
      released.resolve();
      await taking;
      return { summing };
    });
    await Promise.all([holding, other.summing]);
    assert.equal(await pendingChanges(), 0);
    await assertExact();
  });

  test('are counted once when an event changes them between two statements of the count', async () => {
    const made = pullRequest({ org_id: '1001' });
    await send([pullRequestEvent(made)]);
    await sum();
    await sql`
      INSERT INTO comment_sum_backlog SELECT organization_id, id FROM repositories
      WHERE organization_id = ${await idOf('1001')} AND provider_repository_id = '501'`;
    const locked = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const holding = database.transaction(
      async (tx) => {
        await tx`LOCK TABLE repository_comment_sums IN ACCESS EXCLUSIVE MODE`;
        locked.resolve();
        await written.promise;
      },
      { isLong: true },
    );
    await locked.promise;
    const summing = sum();
    try {
      while (
        (
          await sql`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'repository_comment_sums'::regclass`
        ).length === 0
      )
        await sleep(20);
      await send([pullRequestEvent({ ...made, findings: [finding(), finding()] })]);
    } finally {
      written.resolve();
      await Promise.all([holding, summing]);
    }
    await sum();
    await assertExact();
  });

  test('are counted again when their repository is put on the backlog, whatever changes were missed', async () => {
    await sum();
    await send([
      pullRequestEvent(pullRequest({ org_id: '1001' })),
      pullRequestEvent(pullRequest({ org_id: '1002' })),
    ]);
    await sql`DELETE FROM comment_sum_changes`;
    await sql`INSERT INTO comment_sum_backlog SELECT organization_id, id FROM repositories`;
    await assertExact();
    await sum();
    await assertExact();
  });

  test('wait to be counted after the migration, by repository', async () => {
    const fresh = await createTestDatabase({ empty: true });
    after(() => fresh.drop());
    const migrations = await readMigrations();
    const before = migrations.findIndex(({ name }) => name === 'comment_sums');
    await migrate(fresh.database, migrations.slice(0, before));
    const rows = await sql`SELECT organization_id, id FROM repositories ORDER BY 1, 2`;
    for (const table of ['workspaces', 'instances', 'organizations', 'repositories']) {
      const [copied] = await sql`SELECT json_agg(t)::text AS rows FROM ${sql(table)} t`;
      await fresh.database.sql`
        INSERT INTO ${sql(table)}
        SELECT * FROM json_populate_recordset(NULL::${sql(table)}, ${copied!.rows}::text::json)`;
    }
    await migrate(fresh.database, migrations.slice(0, before + 1));
    const waiting = await fresh.database.sql`
      SELECT organization_id, repository_id AS id FROM comment_sum_backlog ORDER BY 1, 2`;
    assert.ok(rows.length > 1);
    assert.deepEqual([...waiting], [...rows]);
  });
});

test('an organization whose metrics are half moved keeps exact sums, also when it is counted then', async () => {
  const made = Array.from({ length: 6 }, () =>
    pullRequest({ org_id: '1002', findings: [finding(), finding()] }),
  );
  await send(made.map((data) => pullRequestEvent(data)));
  const id = await idOf('1002');
  await server.platform({
    organizations: [{ provider: 'github', provider_organization_id: '1002', metrics_isolated: true }],
  });
  const { isolatedId } = await readStorageState(sql, id);
  await createPartition(database, isolatedId);
  await redirectWrites(database, id, isolatedId);
  await moveBatch(database, id, { from: 0, to: isolatedId }, null, 4);
  await forgetSums();
  await sum();
  await send(made.map((data) => pullRequestEvent({ ...data, findings: [finding({ accepted: true })] })));
  await moveMetrics(database, never);
  await assertExact();
  await sum();
  await assertExact();
  await server.platform({
    organizations: [{ provider: 'github', provider_organization_id: '1002', metrics_isolated: false }],
  });
  await moveMetrics(database, never);
  await assertExact();
});

test('a restored backup has the same sums, those not made yet included, and goes on with them', async () => {
  await sum();
  await send([pullRequestEvent(pullRequest({ org_id: '1001' }))]);
  await sql`INSERT INTO comment_sum_backlog SELECT organization_id, id FROM repositories LIMIT 1`;
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-sums-'));
  after(() => rm(folder, { recursive: true }));
  const fresh = await createTestDatabase({ empty: true });
  after(() => fresh.drop());
  await backup(database, path.join(folder, 'whole.backup'));
  await restore(fresh.database, path.join(folder, 'whole.backup'));
  const changes = await fresh.database.sql`SELECT 1 FROM comment_sum_changes`;
  assert.deepEqual(
    [changes.length > 0, (await fresh.database.sql`SELECT 1 FROM comment_sum_backlog`).length],
    [true, 1],
  );
  await Promise.all([sum(), sumComments(fresh.database, never)]);
  const organizations = await Promise.all(
    orgIds.map(async (orgId) => ({ organizationId: await idOf(orgId), storageId: 0 })),
  );
  const [firstDay, lastDay] = [dayOfDate('2026-01-01'), dayOfDate('2027-12-31')];
  const read = (from: typeof database) =>
    from.transaction((tx) => readSums(from, tx, { organizations, repositoryIds: null, firstDay, lastDay }));
  assert.deepEqual((await read(fresh.database)).all, (await read(database)).all);
  assert.equal(
    (await read(database)).all.posted,
    (await overview({ start: '2026-01-01', end: '2027-12-31' })).total.posted,
  );
});
