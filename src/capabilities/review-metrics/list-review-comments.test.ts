import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { finding, pullRequest, pullRequestEvent } from '../../../test/review-events.ts';
import { sampleKeys, samplePlatform } from '../../../test/sample-platform.ts';

const server = await startTestApp({
  settings: { metricsPerMinute: 10_000, apiKeyHeaderAliases: [], trustProxy: false },
});
await server.platform(samplePlatform());
const key = await server.createKey(sampleKeys.organization);
const march = 'start_date=2026-03-01&end_date=2026-03-31';

test('a merged pull request is told with its findings and without the text of comments', async () => {
  const data = pullRequest({
    findings: [finding({ accepted: true }), finding({ severity: 'none', category: 'what' })],
  });
  const answer = await server.events([pullRequestEvent(data)]);
  assert.equal(answer.json.accepted, 1, answer.text);
  const page = await server.get(`/v1/metrics/review-comments?${march}`, key);
  assert.equal(page.status, 200);
});
