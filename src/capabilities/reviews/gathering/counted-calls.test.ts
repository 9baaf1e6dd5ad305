import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { endedRun } from '../../../../test/ended-run.ts';
import { startTestApp } from '../../../../test/harness.ts';
import { lightRuleSources } from '../../../../test/light-rules.ts';
import { type Scripted, startScriptedModel } from '../../../../test/models/scripted-model.ts';
import { startToolServer } from '../../../../test/models/tool-server.ts';
import { urlOf } from '../../../../test/postgres.ts';
import { createPostilProcess } from '../../../../test/postil-process.ts';
import { cloudEvent } from '../../../../test/review-events.ts';
import { member, organization } from '../../../../test/sample-platform.ts';
import { createWorkQueue, type WorkQueue } from '../../../work/work-queue.ts';

const fine = { summary: 'Fine.', findings: [] };
let conclude: () => Scripted = () => ({ answer: fine });
const model = await startScriptedModel('openai', ({ tools, toolAnswers }) =>
  tools.length > 0 && toolAnswers.length === 0
    ? { toolCalls: [{ name: 'tickets_search', input: { query: 'limit' } }] }
    : conclude(),
);
const tools = await startToolServer({ search: { isReadOnly: true, answer: () => 'the limit is 5' } });

const server = await startTestApp({
  ruleSources: lightRuleSources,
  settings: {
    customerAddresses: { ranges: [['127.0.0.0', 8]], hosts: [] },
    model: { ...model.settings, priceIn: 10, priceOut: 10 },
    reviewLimits: { maxTokens: 200_000, maxSeconds: 60 },
  },
});
const { sql } = server.database;
const { url, name } = model.settings;
const node = await createPostilProcess({
  DATABASE_URL: urlOf(server.target),
  POSTIL_MODEL_URL: url,
  POSTIL_MODEL_NAME: name,
  POSTIL_WEBHOOK_ALLOW: '127.0.0.0/8',
});
after(() => node.remove());

/** Workers of the server, which take back an attempt that they stop. */
let queue: WorkQueue | undefined;
const workers = {
  async start() {
    queue = createWorkQueue({ target: server.target, units: () => server.app.units, onError: () => {} });
    await queue.startWorkers();
  },
  interrupt: () => queue!.stop(),
  call: (method: string, path: string, body: unknown, key: string) =>
    server.call(method, path, { key, body }),
};
const ends = {
  'kill -9': { start: node.start, interrupt: node.kill, call: node.call },
  'a graceful stop': workers,
};

for (const [end, { start, interrupt, call }] of Object.entries(ends))
  test(`calls of tools before and after ${end} are counted once each`, { timeout: 600_000 }, async () => {
    const own = organization({ members: [member('9001', { role: 'cr_admin', seat: true })] });
    await server.platform({ organizations: [own] });
    const org_id = own.provider_organization_id as string;
    const tenant = { provider: 'github', org_id };
    const key = await server.createKey({ kind: 'user', ...tenant, owner: '9001' });
    await start();
    const servers = [{ name: 'tickets', url: tools.url, headers: {} }];
    assert.equal((await call('PUT', '/v1/settings/mcp-servers', servers, key)).status, 200);
    const defaults = { mcp: { servers: ['tickets'] } };
    assert.equal((await call('PUT', '/v1/settings/reviews', { defaults }, key)).status, 200);

    const { promise: stalled, resolve: onStall } = Promise.withResolvers<void>();
    conclude = () => {
      onStall();
      return { answer: fine, stallAfter: 1 };
    };
    const diff = '--- /dev/null\n+++ b/src/limit.ts\n@@ -0,0 +1,1 @@\n+export const limit = 5;\n';
    const { json } = await call('POST', '/v1/reviews', { repository_id: '501', diff }, key);
    const prUrl = `https://github.test/acme/api/pull/${org_id}`;
    await sql`UPDATE review_runs SET pull_request = 7, pr_url = ${prUrl} WHERE id = ${json.id}`;
    await stalled;
    await interrupt();
    conclude = () => ({ answer: fine });
    await start();
    const run = await endedRun(server, json.id, key);
    assert.equal(run.status, 'succeeded', run.reason);
    await interrupt();

    const at = '2026-06-15T00:00:00Z';
    const pull = { repository_id: '501', number: 7, url: prUrl, state: 'merged', author_id: '9001' };
    const merged = { ...tenant, ...pull, created_at: at, merged_at: at };
    assert.equal((await server.events([cloudEvent('postil.pull_request', merged)])).json.failed, 0);
    const metrics = await server.get('/v1/metrics/mcp?start_date=2026-06-15&end_date=2026-06-15', key);
    assert.deepEqual(metrics.json.data[0].servers, [
      { name: 'tickets', calls: 2, tools: [{ name: 'search', calls: 2, failures: 0 }] },
    ]);
  });
