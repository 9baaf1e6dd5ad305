import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { operatorToken, startTestApp } from '../../../../test/harness.ts';
import { readPage, withoutLimits } from '../../../../test/metrics-reader.ts';
import { patience } from '../../../../test/patience.ts';
import { cloudEvent, pullRequest, pullRequestEvent } from '../../../../test/review-events.ts';
import { sampleKeys, samplePlatform } from '../../../../test/sample-platform.ts';
import { createTestDeps } from '../../../../test/test-deps.ts';
import { createApp } from '../../../app.ts';
import { openDatabase } from '../../../db/database.ts';
import { createLog } from '../../../lib/log.ts';
import { createDeterministicEmbedder } from '../../learnings/embedding/deterministic-embedder.ts';

const writers = 12;
const batchesPerWriter = 8;
const organizationIds = ['1001', '1002'];

const server = await startTestApp(withoutLimits);
await server.platform(samplePlatform());
const database = openDatabase(server.target, { maxConnections: 2 * writers + 6, ...patience });

async function startNode() {
  const app = await createApp({
    ...createTestDeps(server.target, () => []),
    database,
    clock: () => server.now,
    log: createLog('silent'),
    embedder: createDeterministicEmbedder(),
    operatorToken,
    ...withoutLimits,
  });
  after(() => app.close());
  return {
    async send(events: unknown[]) {
      const answer = await app.server.inject({
        method: 'POST',
        url: '/operator/v1/events',
        headers: {
          authorization: `Bearer ${operatorToken}`,
          'content-type': 'application/cloudevents-batch+json',
        },
        payload: JSON.stringify(events),
      });
      assert.deepEqual([answer.statusCode, answer.json().accepted], [200, events.length], answer.body);
    },
    async get(url: string, key?: string) {
      const answer = await app.server.inject({ url, headers: { 'x-service-api-key': key ?? '' } });
      const headers = answer.headers as Record<string, string>;
      return { status: answer.statusCode, headers, text: answer.body, json: answer.json() };
    },
  };
}

const nodes = [await startNode(), await startNode()] as const;
after(() => database.close());

/** Follows a cursor while others write; returns every entry of the pages it has read. */
async function follow(path: string, key: string, isOver: () => boolean): Promise<string[]> {
  const passed: string[] = [];
  let from = '';
  for (let turn = 0; ; turn++) {
    const wasOver = isOver();
    const { data, next_cursor } = await readPage(
      nodes[turn % 2]!.get,
      `${path}&limit=${1 + (turn % 7)}${from}`,
      key,
    );
    if (next_cursor !== null) {
      passed.push(...data.map(({ pr_url }) => pr_url));
      from = `&cursor=${next_cursor}`;
    } else if (wasOver) {
      passed.push(...data.map(({ pr_url }) => pr_url));
      return passed;
    }
  }
}

test('readers that follow cursors miss and repeat nothing while twelve writers write on two nodes', async () => {
  const keys = {
    one: await server.createKey(sampleKeys.organization),
    many: await server.createKey(sampleKeys.workspace),
  };
  const window = 'start_date=2026-03-01&end_date=2026-03-31';
  let isOver = false;
  const written: { url: string; orgId: string }[] = [];

  async function write(writer: number): Promise<void> {
    for (let batch = 0; batch < batchesPerWriter; batch++) {
      const made = Array.from({ length: 1 + ((writer + batch) % 4) }, (_, index) => {
        const orgId = organizationIds[(writer + batch + index) % organizationIds.length]!;
        const day = 1 + ((writer * 7 + batch * 3 + index) % 31);
        const merged_at = `2026-03-${String(day).padStart(2, '0')}T12:00:00Z`;
        return pullRequest({ org_id: orgId, merged_at });
      });
      const usages = made.map((data) =>
        cloudEvent('postil.mcp_usage', {
          org_id: data.org_id,
          pr_url: data.url,
          servers: [{ name: 'x', tools: [{ name: 'y', calls: 1 }] }],
        }),
      );
      // Usage and pull request race each other on the two nodes.
      await Promise.all([
        nodes[writer % 2]!.send(made.map((data) => pullRequestEvent(data))),
        nodes[(writer + 1) % 2]!.send(usages),
      ]);
      written.push(...made.map((data) => ({ url: data.url, orgId: data.org_id as string })));
    }
  }

  const reads = ['review-comments', 'mcp', 'reviews'].flatMap((list) => {
    const path = `/v1/metrics/${list}?${window}`;
    return [
      follow(path, keys.one, () => isOver),
      follow(path, keys.many, () => isOver),
      follow(`${path}&repository_ids=501`, keys.many, () => isOver),
    ];
  });
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  isOver = true;
  const results = await Promise.all(reads);

  const inAll = written.map(({ url }) => url).sort();
  const inOne = written
    .filter(({ orgId }) => orgId === '1001')
    .map(({ url }) => url)
    .sort();
  for (const [index, passed] of results.entries()) {
    assert.equal(new Set(passed).size, passed.length, 'nothing is repeated');
    assert.deepEqual(passed.toSorted(), index % 3 === 0 ? inOne : inAll, 'nothing is lost');
  }
});
