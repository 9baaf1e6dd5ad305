import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { withoutLimits } from '../../../../test/metrics-reader.ts';
import { pullRequest, pullRequestEvent } from '../../../../test/review-events.ts';
import { freshId, sampleKeys, samplePlatform } from '../../../../test/sample-platform.ts';

const server = await startTestApp(withoutLimits);
await server.platform(samplePlatform());
const key = await server.createKey(sampleKeys.organization);
const workspaceKey = await server.createKey(sampleKeys.workspace);
const limit = 16_777_216;
const path = '/v1/metrics/review-comments?start_date=2026-03-01&end_date=2026-03-31';

// Characters of one, two, three and four bytes, and one that JSON escapes: bytes are counted, not characters.
const mixture = 'aé€😀"';
const site = 'https://git.test/';
const longUrl = site + mixture.repeat(150);

function largePullRequest(bytes: number, fields: Record<string, unknown> = {}) {
  const comment = (id: string, url: string) => ({ finding_id: id, url });
  const size = (findings: { url: string }[]) =>
    Buffer.byteLength(
      JSON.stringify(findings.map(({ url }) => ({ url, severity: null, category: null, accepted: null }))),
    );
  const findings = [comment('0', site)];
  const step = size([comment('', longUrl)]) - 1;
  while (size(findings) + step + 100 < bytes) {
    const missing = Math.floor((bytes - size(findings) - 100) / step);
    for (let i = 0; i < missing; i++) findings.push(comment(String(findings.length), longUrl));
  }
  while (size(findings) < bytes) {
    const missing = bytes - size(findings);
    findings.at(0)!.url += 'x'.repeat(Math.min(missing, 2000));
  }
  return pullRequest({ findings, ...fields });
}

async function send(...data: Record<string, unknown>[]): Promise<void> {
  const answer = await server.events(data.map((item) => pullRequestEvent(item)));
  assert.equal(answer.json.accepted, data.length, answer.text);
}

async function sizeOf(query: string, of: string = key): Promise<number | string> {
  const answer = await server.get(query, of);
  return answer.status === 200 ? Buffer.byteLength(answer.text) : answer.json.error.code;
}

test('a page of exactly 16 MiB is sent, one byte more is 413, and smaller pages still work', async () => {
  const made = Array.from({ length: 8 }, () => largePullRequest(2_000_000));
  await send(...made);
  const known = (await sizeOf(path)) as number;
  const last = largePullRequest(700_000);
  await send(last);
  const missing = limit - ((await sizeOf(path)) as number);
  assert.ok(known > 16_000_000 && missing > 0 && missing < 100_000, `${known} ${missing}`);

  const exact = largePullRequest(700_000 + missing, { number: last.number, url: last.url });
  await send(exact);
  assert.equal(await sizeOf(path), limit);
  // The same limit applies to pages that are read from the streams of several organizations, and to filtered ones.
  assert.equal(await sizeOf(path, workspaceKey), limit);
  assert.equal(await sizeOf(`${path}&repository_ids=501`), limit);

  const over = largePullRequest(700_000 + missing + 1, { number: last.number, url: last.url });
  await send(over);
  assert.equal(await sizeOf(path), 'RESPONSE_TOO_LARGE');
  assert.equal(await sizeOf(path, workspaceKey), 'RESPONSE_TOO_LARGE');
  assert.equal(await sizeOf(`${path}&repository_ids=501`), 'RESPONSE_TOO_LARGE');
  const refused = await server.get(path, key);
  assert.deepEqual([refused.status, refused.json.error.message.includes('limit')], [413, true]);

  // Looking ahead to the ninth does not count toward the size of the first eight.
  const eight = await server.get(`${path}&limit=8`, key);
  assert.equal(eight.status, 200);
  assert.equal(eight.json.data.length, 8);
  const ninth = await server.get(`${path}&limit=8&cursor=${eight.json.next_cursor}`, key);
  assert.deepEqual([ninth.json.data.length, ninth.json.next_cursor], [1, null]);
});

test('a single pull request that is too large is never split, and filters can exclude it', async () => {
  const repository_id = '502';
  const small = pullRequest({ repository_id, author_id: 'small', merged_at: '2026-04-01T00:00:00Z' });
  const large = largePullRequest(limit, {
    repository_id,
    author_id: `large-${freshId()}`,
    merged_at: '2026-04-02T00:00:00Z',
  });
  await send(large, small);
  const april = '/v1/metrics/review-comments?start_date=2026-04-01&end_date=2026-04-30';
  assert.equal(await sizeOf(`${april}&limit=1`), 'RESPONSE_TOO_LARGE');
  assert.equal(typeof (await sizeOf(`${april}&user_ids=small`)), 'number');
  assert.equal(
    typeof (await sizeOf('/v1/metrics/review-comments?start_date=2026-04-01&end_date=2026-04-01')),
    'number',
  );
  // Its counts are small, whatever its size.
  assert.equal(
    typeof (await sizeOf('/v1/metrics/reviews?start_date=2026-04-01&end_date=2026-04-30')),
    'number',
  );
});
