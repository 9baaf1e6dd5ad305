import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { sampleKeys, samplePlatform } from '../../../../test/sample-platform.ts';

const server = await startTestApp({ settings: { metricsPerMinute: 3 } });
await server.platform(samplePlatform());
const window = 'start_date=2026-03-01&end_date=2026-03-31';

test('the three endpoints share one configurable limit per key scope', async () => {
  const key = await server.createKey(sampleKeys.organization);
  const sameScope = await server.createKey(sampleKeys.user);
  const otherScope = await server.createKey(sampleKeys.workspace);
  const answers = [];
  for (const list of ['review-comments', 'reviews', 'mcp'])
    answers.push(await server.get(`/v1/metrics/${list}?${window}`, key));
  assert.deepEqual(
    answers.map(({ status, headers }) => [
      status,
      headers['x-ratelimit-limit'],
      headers['x-ratelimit-remaining'],
    ]),
    [
      [200, '3', '2'],
      [200, '3', '1'],
      [200, '3', '0'],
    ],
  );
  const refused = await server.get(`/v1/metrics/mcp?${window}`, sameScope);
  assert.deepEqual([refused.status, refused.json.error.code], [429, 'RATE_LIMIT_EXCEEDED']);
  assert.match(refused.headers['retry-after']!, /^[1-9]\d*$/);
  assert.equal((await server.get(`/v1/metrics/mcp?${window}`, otherScope)).status, 200);
});
