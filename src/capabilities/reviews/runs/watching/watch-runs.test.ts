import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp } from '../../../../../test/harness.ts';
import { member, organization, sampleKeys } from '../../../../../test/sample-platform.ts';
import { signInAs } from '../../../../../test/session.ts';

const server = await startTestApp();
server.now = new Date();
const { sql } = server.database;
const url = await server.app.server.listen({ host: '127.0.0.1', port: 0 });
after(() => server.queue.stop());
const limited = { timeout: 600_000 };

async function newTenant(userId: string) {
  const own = organization({ members: [member(userId, { role: 'cr_admin', seat: true })] });
  await server.platform({ organizations: [own] });
  const orgId = own.provider_organization_id as string;
  const key = await server.createKey({ ...sampleKeys.user, org_id: orgId, owner: userId });
  const [row] = await sql`SELECT id FROM organizations WHERE provider_organization_id = ${orgId}`;
  const session = await signInAs(server, `user-${userId}@acme.test`);
  const diff = '--- /dev/null\n+++ b/src/a.ts\n@@ -0,0 +1,1 @@\n+export const a = 1;\n';
  return {
    key,
    session,
    async post(): Promise<string> {
      const answer = await server.call('POST', '/v1/reviews', { key, body: { repository_id: '501', diff } });
      assert.equal(answer.status, 202, answer.text);
      return answer.json.id;
    },
    pathOf: (...runs: string[]) =>
      `/dashboard/v1/review-progress?runs=${runs.join(',')}&scope=organization:${row!.id}`,
  };
}

/** Opens the stream as a browser would. */
async function watch(path: string, cookie: string) {
  const response = await fetch(url + path, { headers: { cookie } });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type')!, /^text\/event-stream/);
  let text = '';
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const part of response.body!) text += decoder.decode(part, { stream: true });
  })();
  return {
    get text() {
      return text;
    },
    ended: reading,
    async until(pattern: RegExp) {
      while (!pattern.test(text)) await new Promise((resolve) => setTimeout(resolve, 25));
    },
  };
}

const own = await newTenant('9001');
const other = await newTenant('9051');

test('a review is followed from waiting to its end, where the stream ends', limited, async () => {
  const id = await own.post();
  const stream = await watch(own.pathOf(id), own.session.cookie);
  await stream.until(new RegExp(`event: progress\ndata: {"id":"${id}","status":"queued","stage":null}\n\n`));
  await stream.until(/: alive\n\n/);
  await server.queue.startWorkers();
  await stream.ended;
  assert.ok(
    stream.text.endsWith(`{"id":"${id}","status":"succeeded","stage":null}\n\nevent: end\ndata: {}\n\n`),
  );
  const again = await watch(own.pathOf(id), own.session.cookie);
  await again.ended;
  assert.equal(again.text.match(/event: /g)!.length, 2, 'one that has ended is told at once');
  await server.queue.stop();
});

test('nobody sees the reviews of another organization, or without a session', async () => {
  const id = await own.post();
  const foreign = await other.post();
  for (const [path, cookie, status] of [
    [own.pathOf(foreign), own.session.cookie, 404],
    [own.pathOf(id, foreign), own.session.cookie, 404],
    [own.pathOf(id), other.session.cookie, 404],
    [own.pathOf(id), '', 401],
    [own.pathOf('x'), own.session.cookie, 400],
    [own.pathOf(), own.session.cookie, 400],
  ] as const)
    assert.equal((await fetch(url + path, { headers: { cookie } })).status, status, path);
});

test('the stream ends soon after the session', limited, async () => {
  const id = await other.post();
  const stream = await watch(other.pathOf(id), other.session.cookie);
  await stream.until(/queued/);
  assert.equal(
    (await other.session.call('POST', '/dashboard/v1/sign-out', { body: { everywhere: false } })).status,
    204,
  );
  await stream.ended;
  assert.doesNotMatch(stream.text, /event: end/, 'the review has not ended');
});

test('one person cannot take the places of others; whoever is refused may come back', limited, async () => {
  const third = await newTenant('9061');
  const id = await own.post();
  const path = own.pathOf(id);
  const leaving = new AbortController();
  const open = async (from = path, { cookie } = own.session) => {
    const response = await fetch(url + from, { headers: { cookie }, signal: leaving.signal });
    // The place is taken when the first event is read.
    if (response.status === 200) await response.body!.getReader().read();
    return response;
  };
  for (let count = 0; count < 10; count += 1) assert.equal((await open()).status, 200);
  const refused = await open();
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '30']);
  assert.equal((await open(third.pathOf(await third.post()), third.session)).status, 200);
  leaving.abort();
  const again = new AbortController();
  let status = 503;
  while (status === 503) {
    const headers = { cookie: own.session.cookie };
    ({ status } = await fetch(url + path, { headers, signal: again.signal }));
    // A person has 600 requests a minute.
    await sleep(250);
  }
  again.abort();
  assert.equal(status, 200, 'the places of streams that were left are free');
});

test('a server that stops does not wait for those who watch', limited, async () => {
  const id = await own.post();
  const stream = await watch(own.pathOf(id), own.session.cookie);
  await stream.until(/queued/);
  await server.app.close();
  await stream.ended;
  assert.doesNotMatch(stream.text, /event: end/);
});
