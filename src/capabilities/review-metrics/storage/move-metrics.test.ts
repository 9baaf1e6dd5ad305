import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { readAllPages, withoutLimits } from '../../../../test/metrics-reader.ts';
import { cloudEvent, pullRequest, pullRequestEvent } from '../../../../test/review-events.ts';
import { freshId, organization } from '../../../../test/sample-platform.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { moveMetrics, nextStep } from './move-metrics.ts';
import { createPartition, dropPartition, moveBatch, readStorageState, redirectWrites } from './partitions.ts';

const server = await startTestApp(withoutLimits);
const { database } = server;
const { sql } = database;
const window = 'start_date=2026-03-01&end_date=2026-03-31';
const lists = ['review-comments', 'reviews', 'mcp'];
const never = new AbortController().signal;
const move = () => moveMetrics(database, never);

/** Two organizations of a workspace, each with some pull requests; the first one is to be moved. */
async function twoOrganizations() {
  const slug = `ws-${freshId()}`;
  const [orgId, otherId] = [freshId(), freshId()];
  await server.platform({
    workspaces: [{ slug, name: slug, admins: ['user-9001@acme.test'] }],
    organizations: [orgId, otherId].map((id) =>
      organization({ provider_organization_id: id, workspace: slug }),
    ),
  });
  const expires_at = '2027-01-31T00:00:00Z';
  const owner = 'user-9001@acme.test';
  const key = await server.createKey({ kind: 'workspace', workspace: slug, owner, expires_at });
  const [row] = await sql<
    { id: OrganizationId }[]
  >`SELECT id FROM organizations WHERE provider_organization_id = ${orgId}`;
  const id = row!.id;

  const write = async (count: number, to = [orgId, otherId]) => {
    const made = to.flatMap((org_id) => Array.from({ length: count }, () => pullRequest({ org_id })));
    const servers = [{ name: 's', tools: [{ name: 't', calls: 1 }] }];
    const answer = await server.events(
      made.flatMap((data) => [
        pullRequestEvent(data),
        cloudEvent('postil.mcp_usage', { org_id: data.org_id, pr_url: data.url, servers }),
      ]),
    );
    assert.equal(answer.json.failed, 0, answer.text);
    return made;
  };
  return {
    id,
    orgId,
    otherId,
    write,
    get: (list: string, query = '') => server.get(`/v1/metrics/${list}?${window}${query}`, key),
    urls: async (list = 'review-comments') =>
      (await readAllPages(server.get, `/v1/metrics/${list}?${window}`, key, [3, 7])).map(
        ({ pr_url }) => pr_url,
      ),
    setIsolated: (isolated: boolean) =>
      server.platform({
        organizations: [{ provider: 'github', provider_organization_id: orgId, metrics_isolated: isolated }],
      }),
    /** How many of its rows are in each partition. */
    rowsByPartition: async () => {
      const rows = await sql<{ place: string; count: number }[]>`
        SELECT tableoid::regclass::text AS place, count(*)::int AS count FROM review_metrics
        WHERE organization_id = ${id} GROUP BY 1 ORDER BY 1`;
      return rows.map(({ place, count }) => [place, count]);
    },
    state: () => readStorageState(sql, id),
  };
}

const ownPartition = ({ isolatedId }: { isolatedId: number }) => `review_metrics_isolated_${isolatedId}`;

describe('an organization that is switched to isolated metrics', () => {
  test('has them in a partition of its own, with the same entries in the same order, and can be switched back', async () => {
    const of = await twoOrganizations();
    await of.write(5);
    const before = await Promise.all(lists.map(of.urls));
    await of.setIsolated(true);
    await move();
    assert.deepEqual(await of.rowsByPartition(), [[ownPartition(await of.state()), 5]]);
    assert.deepEqual(await Promise.all(lists.map(of.urls)), before);

    const more = await of.write(1);
    assert.deepEqual(await of.rowsByPartition(), [[ownPartition(await of.state()), 6]]);
    const after = await Promise.all(lists.map(of.urls));
    for (const [index, list] of after.entries())
      assert.deepEqual(list, [...before[index]!, ...more.map(({ url }) => url)]);

    await of.setIsolated(false);
    await move();
    assert.deepEqual(await of.rowsByPartition(), [['review_metrics_shared', 6]]);
    assert.deepEqual(await Promise.all(lists.map(of.urls)), after);
    assert.equal((await of.state()).hasPartition, false);
  });

  test('answers 503 METRICS_PREPARING until the move is done, in every list and every scope that includes it', async () => {
    const of = await twoOrganizations();
    await of.write(1);
    for (const isolated of [true, false]) {
      await of.setIsolated(isolated);
      for (const list of lists) {
        for (const query of ['', `&org_id=${of.orgId}`]) {
          const answer = await of.get(list, query);
          assert.deepEqual([answer.status, answer.json.error.code], [503, 'METRICS_PREPARING']);
          assert.match(answer.headers['retry-after']!, /^[1-9]\d*$/);
        }
        assert.equal((await of.get(list, `&org_id=${of.otherId}`)).status, 200);
      }
      await move();
      for (const list of lists) assert.equal((await of.get(list)).status, 200);
    }
  });

  test('answers METRICS_UNAVAILABLE first if it has no metrics', async () => {
    const of = await twoOrganizations();
    await of.setIsolated(true);
    await server.platform({
      organizations: [{ provider: 'github', provider_organization_id: of.orgId, metrics: 'unavailable' }],
    });
    assert.equal((await of.get('mcp')).json.error.code, 'METRICS_UNAVAILABLE');
    await move();
  });

  test('loses nothing that is written during the move, even when two nodes move at once', async () => {
    const of = await twoOrganizations();
    const first = await of.write(40);
    const second: { url: string }[] = [];
    for (const isolated of [true, false, true]) {
      await of.setIsolated(isolated);
      let isMoving = true;
      const writing = Array.from({ length: 3 }, async () => {
        do second.push(...(await of.write(2)));
        while (isMoving);
      });
      // Either schedule may give up when it collides with the other one; it is run again below, as its interval would do.
      await Promise.allSettled([move(), move()]);
      isMoving = false;
      await Promise.all(writing);
      await move();
      const urls = await of.urls();
      assert.deepEqual(urls.toSorted(), [...first, ...second].map(({ url }) => url).sort());
      const place = isolated ? ownPartition(await of.state()) : 'review_metrics_shared';
      assert.deepEqual(await of.rowsByPartition(), [[place, (first.length + second.length) / 2]]);
    }
  });
});

describe('a move that was interrupted', () => {
  async function startHalfwayMove() {
    const of = await twoOrganizations();
    const made = await of.write(6);
    await of.setIsolated(true);
    const { isolatedId } = await of.state();
    await createPartition(database, isolatedId);
    await redirectWrites(database, of.id, isolatedId);
    await moveBatch(database, of.id, { from: 0, to: isolatedId }, null, 4);
    assert.deepEqual(await of.rowsByPartition(), [
      [`review_metrics_isolated_${isolatedId}`, 4],
      ['review_metrics_shared', 2],
    ]);
    return { of, made, isolatedId };
  }

  test('hides the metrics, accepts events about rows in both storages, and is completed by the next run', async () => {
    const { of, made, isolatedId } = await startHalfwayMove();
    assert.equal((await of.get('review-comments')).status, 503);
    const mine = made.filter(({ org_id }) => org_id === of.orgId);
    const outcomes = mine.map((data) =>
      cloudEvent('postil.finding_outcome', {
        org_id: of.orgId,
        pr_url: data.url,
        finding_id: (data.findings as { finding_id: string }[])[0]!.finding_id,
        accepted: true,
      }),
    );
    const answer = await server.events([...outcomes, pullRequestEvent({ ...mine[0], author_id: 'moved' })]);
    assert.equal(answer.json.failed, 0, answer.text);
    const [more] = await of.write(1, [of.orgId]);
    await move();
    assert.deepEqual(await of.rowsByPartition(), [[`review_metrics_isolated_${isolatedId}`, 7]]);
    const page = await of.get('review-comments', `&org_id=${of.orgId}`);
    assert.deepEqual(
      page.json.data.map((entry: { pr_url: string; coderabbit_comments: { accepted: boolean | null }[] }) => [
        entry.pr_url,
        entry.coderabbit_comments[0]!.accepted,
      ]),
      [...mine.slice(1), mine[0]!].map(({ url }) => [url, true]).concat([[more!.url, null as never]]),
    );
  });

  test('reverses when the operator switches back', async () => {
    const { of, made } = await startHalfwayMove();
    await of.setIsolated(false);
    await move();
    assert.deepEqual(await of.rowsByPartition(), [['review_metrics_shared', 6]]);
    assert.equal((await of.urls()).length, made.length);
  });

  test('leaves nothing to drop for a second node that had seen the partition, too', async () => {
    const of = await twoOrganizations();
    await of.setIsolated(true);
    await move();
    const { isolatedId } = await of.state();
    await of.setIsolated(false);
    await move();
    assert.equal((await of.state()).hasPartition, false);
    await dropPartition(database, of.id, isolatedId);
  });

  test('stops safely when it is aborted, and resumes later', async () => {
    const of = await twoOrganizations();
    await of.write(3);
    await of.setIsolated(true);
    await moveMetrics(database, AbortSignal.abort());
    assert.equal((await of.get('mcp')).status, 503);
    await move();
    assert.equal((await of.get('mcp')).status, 200);
  });
});

test('after a restore into a database without its partition, an organization is readable and gets a new one', async () => {
  const of = await twoOrganizations();
  await of.write(4);
  await of.setIsolated(true);
  await move();
  const before = await of.urls();
  const partition = ownPartition(await of.state());
  await database.transaction(async (tx) => {
    await tx.unsafe(`CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT * FROM ${partition}`);
    await tx.unsafe(`DROP TABLE ${partition}`);
    await tx.unsafe('INSERT INTO review_metrics SELECT * FROM kept');
  });
  assert.deepEqual(await of.rowsByPartition(), [['review_metrics_unplaced', 4]]);
  assert.deepEqual(await of.urls(), before);
  await move();
  assert.deepEqual(await of.rowsByPartition(), [[ownPartition(await of.state()), 4]]);
  assert.deepEqual(await of.urls(), before);
});

test('every state leads to what the operator wants in a few steps', () => {
  for (const isIsolationWanted of [true, false]) {
    for (const hasPartition of [true, false]) {
      for (const [storageId, movingFrom] of [
        [0, null],
        [0, 7],
        [7, null],
        [7, 0],
      ] as const) {
        let state = { isIsolationWanted, isolatedId: 7, hasPartition, storageId, movingFrom } as Parameters<
          typeof nextStep
        >[0];
        let steps = 0;
        for (let step = nextStep(state); step !== undefined; step = nextStep(state)) {
          if (step.do === 'create-partition') state = { ...state, hasPartition: true };
          if (step.do === 'drop-partition') state = { ...state, hasPartition: false };
          if (step.do === 'redirect-writes')
            state = { ...state, storageId: step.storageId, movingFrom: state.storageId };
          if (step.do === 'move') state = { ...state, movingFrom: null };
          steps += 1;
          assert.ok(steps < 8, 'it terminates');
        }
        assert.deepEqual(
          [state.storageId, state.movingFrom, state.hasPartition],
          [isIsolationWanted ? 7 : 0, null, isIsolationWanted],
        );
      }
    }
  }
});
