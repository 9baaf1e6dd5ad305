import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { endedRun } from '../../../../test/ended-run.ts';
import { startTestApp } from '../../../../test/harness.ts';
import { until } from '../../../../test/hosts/connected-host.ts';
import { lightRuleSources } from '../../../../test/light-rules.ts';
import { member, organization, sampleKeys } from '../../../../test/sample-platform.ts';
import { anyAddress } from '../../../outbound/address-guard.ts';
import { createOutbound } from '../../../outbound/outbound.ts';
import type { ModelAnswer, ModelReviewer } from '../../../reviewer/model/model-reviewer.ts';
import { workHere } from '../../../reviewer/process/run-here.ts';
import { createWorkQueue } from '../../../work/work-queue.ts';
import { mirrorLimits } from '../mirror/mirror-limits.ts';
import { reviews } from '../reviews-capability.ts';
import type { RunKey } from './run-record.ts';

const server = await startTestApp();
const { sql } = server.database;
const outbound = createOutbound(anyAddress);
after(() => outbound.close());

async function newTenant(): Promise<string> {
  const own = organization({ members: [member('9001', { role: 'cr_admin', seat: true })] });
  await server.platform({ organizations: [own] });
  return server.createKey({ ...sampleKeys.user, org_id: own.provider_organization_id });
}
const key = await newTenant();
beforeEach(() => server.resetLimits());

const diff = '--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,1 @@\n+export const a = 1 / (0 / 0) === NaN;\n';

async function post(by = key): Promise<string> {
  const answer = await server.call('POST', '/v1/reviews', { key: by, body: { repository_id: '501', diff } });
  assert.equal(answer.status, 202, answer.text);
  return answer.json.id;
}

const ended = (id: string, by = key) => endedRun(server, id, by);

const answer: ModelAnswer = {
  findings: [
    {
      path: 'a.ts',
      quote: 'export const a = 1 / (0 / 0) === NaN;',
      title: 'Odd \ud800 name\0',
      body: 'It could be clearer.',
      severity: 'minor',
      category: 'maintainability_and_code_quality',
      suggestion: null,
      learningIds: [],
    },
  ],
  shortfalls: [],
  usage: { model: 'double', inputTokens: 10, outputTokens: 5, costUsd: 0.01, calls: 1, toolCalls: 3 },
};

const answering: ModelReviewer = { name: 'double', review: async () => answer };

/** A model that never answers, and reports when it is asked and when it is aborted. */
function silentModel() {
  const asked = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const model: ModelReviewer = {
    name: 'silent',
    review: (_request, signal) => {
      asked.resolve();
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          stopped.resolve();
          reject(signal.reason);
        }),
      );
    },
  };
  return { model, asked: asked.promise, stopped: stopped.promise };
}

/** A second node on the same database, which only runs workers. */
async function withNode(
  openModel: (run: RunKey) => ModelReviewer,
  work: () => Promise<void>,
  maxSeconds = 150,
): Promise<void> {
  const queue = createWorkQueue({
    target: server.target,
    units: () => capability.units!,
    onError: () => {},
  });
  const { database } = server;
  const clock = () => server.now;
  const capability = reviews({
    findAdvisories: async () => null,
    database,
    clock,
    queue,
    model: {
      name: 'double',
      limits: { maxTokens: 1_000, maxSeconds },
      maxUsd: 1,
      open: async (_options, run) => openModel(run),
    },
    findLearnings: async () => [],
    acceptEvents: async () => [],
    onReportFailure: () => {},
    customerOutbound: outbound,
    maxSeconds,
    searchPath: undefined,
    processes: workHere(lightRuleSources),
    vault: server.vault,
    customerAddresses: anyAddress,
    outbound,
    openHosts: new Map(),
    mirrors: { folder: tmpdir(), ...mirrorLimits(1_000_000) },
    runUrl: () => 'https://postil.test/run',
    stopping: new AbortController().signal,
    requestReading: async () => {},
  });
  await queue.startWorkers();
  await work().finally(() => queue.stop());
}

const long = { timeout: 600_000 };

test('what a model says is stored with its usage, whatever characters it uses', long, async () => {
  const id = await post();
  await withNode(
    () => answering,
    async () => {
      const run = await ended(id);
      assert.equal(run.status, 'succeeded', run.reason);
      const found = run.findings.find(({ source }: { source: { kind: string } }) => source.kind === 'model');
      assert.equal(found.title, 'Odd \ufffd name');
      assert.deepEqual(run.usage, {
        model: 'double',
        input_tokens: 10,
        output_tokens: 5,
        cost_usd: 0.01,
        calls: 1,
        tool_calls: 3,
      });
    },
  );
});

test('a run that is stopped while it runs ends at once, and stays as it is', long, async () => {
  const { model, asked, stopped } = silentModel();
  const id = await post();
  await withNode(
    () => model,
    async () => {
      await asked;
      assert.equal((await server.get(`/v1/reviews/${id}`, key)).json.status, 'running');
      assert.equal((await server.call('DELETE', `/v1/reviews/${id}`, { key })).status, 204);
      const cancelled = (await server.get(`/v1/reviews/${id}`, key)).json;
      assert.equal(cancelled.status, 'cancelled');
      await stopped;
      const next = await post();
      await until(async () => {
        const [run] = await sql`SELECT status FROM review_runs WHERE id = ${next}`;
        return run!.status === 'running';
      });
      assert.deepEqual((await server.get(`/v1/reviews/${id}`, key)).json, cancelled);
      await server.call('DELETE', `/v1/reviews/${next}`, { key });
    },
  );
});

test('a stage that was done on a node that stopped is not done again on the next', long, async () => {
  const { model, asked } = silentModel();
  const id = await post();
  await withNode(
    () => model,
    async () => {
      await asked;
    },
  );
  const [work] = await sql`SELECT stages FROM review_run_work WHERE run_id = ${id}`;
  assert.deepEqual(Object.keys(work!.stages), ['rules', 'sight', 'analyzers', 'comparison']);
  await sql`
    UPDATE review_run_work SET stages = jsonb_set(stages, '{rules,findings,0,title}', '"Kept from before"') WHERE run_id = ${id}`;
  await withNode(
    () => answering,
    async () => {
      const run = await ended(id);
      assert.equal(run.status, 'succeeded', run.reason);
      assert.ok(run.findings.some(({ title }: { title: string }) => title === 'Kept from before'));
    },
  );
  const [row] = await sql`SELECT attempts FROM review_runs WHERE id = ${id}`;
  assert.equal(row!.attempts, 1, 'what a stopping server broke off does not count');
});

test(
  'the time of a run counts from its start, over all attempts but those that a stopping server broke off',
  long,
  async () => {
    const other = await newTenant();
    const { model, asked } = silentModel();
    const [cutOff, brokenOff] = [await post(), await post(other)];
    const begun = server.now;
    await withNode(
      () => model,
      async () => {
        await asked;
        await until(
          async () => (await sql`SELECT 1 FROM review_run_work WHERE stages ? 'rules'`).length === 2,
        );
      },
    );
    const givenBack = () => sql`
      SELECT 1 FROM review_runs WHERE status = 'queued' AND started_at IS NULL AND attempts = 0 AND lease IS NULL
        AND id IN (${cutOff}, ${brokenOff})`;
    await until(async () => (await givenBack()).length === 2);
    // The state that a killed node leaves behind.
    await sql`UPDATE review_runs SET status = 'running', started_at = ${begun}, attempts = 1 WHERE id = ${cutOff}`;
    server.now = new Date(begun.getTime() + 151_000);
    const calls: string[] = [];
    const counting = ({ runId }: RunKey): ModelReviewer => ({
      name: 'double',
      review: async (_request, signal) => {
        signal.throwIfAborted();
        calls.push(runId);
        return answer;
      },
    });
    await withNode(counting, async () => {
      const [late, whole] = [await ended(cutOff), await ended(brokenOff, other)];
      assert.equal(late.status, 'degraded');
      assert.deepEqual(late.coverage, [{ path: 'a.ts', state: 'partial', reason: 'time' }]);
      assert.ok(late.findings.length > 0, 'what rules found is kept');
      assert.equal(late.started_at, begun.toISOString());
      assert.equal(whole.status, 'succeeded', whole.reason);
      assert.equal(whole.started_at, server.now.toISOString());
    });
    assert.deepEqual(calls, [brokenOff]);
  },
);

test('two nodes do every run once, and no two of an organization at the same time', long, async () => {
  const tenants = await Promise.all([newTenant(), newTenant(), newTenant()]);
  const runs = await Promise.all(
    tenants.flatMap((by) => [1, 2, 3].map(async () => ({ id: await post(by), by }))),
  );
  const asked: string[] = [];
  const busy = new Set<string>();
  const counting = ({ runId, organizationId }: RunKey): ModelReviewer => ({
    name: 'double',
    async review() {
      asked.push(runId);
      assert.ok(!busy.has(organizationId), 'one at a time');
      busy.add(organizationId);
      await sleep(100);
      busy.delete(organizationId);
      return answer;
    },
  });
  await withNode(counting, () =>
    withNode(counting, async () => {
      for (const { id, by } of runs) assert.equal((await ended(id, by)).status, 'succeeded');
    }),
  );
  assert.deepEqual(asked.toSorted(), runs.map(({ id }) => id).toSorted());
});

test('an attempt whose lease was taken stores nothing', long, async () => {
  const { model, asked, stopped } = silentModel();
  const id = await post();
  await withNode(
    () => model,
    async () => {
      await asked;
      await sql`UPDATE review_runs SET lease = gen_random_uuid() WHERE id = ${id}`;
      await stopped;
      assert.equal((await server.get(`/v1/reviews/${id}`, key)).json.status, 'running');
    },
  );
  // Its unit is done, so only the schedule can find it.
  server.now = new Date(server.now.getTime() + 10 * 60_000);
  await server.app.schedules
    .find(({ name }) => name === 'requeue reviews')!
    .run(new AbortController().signal);
  await withNode(
    () => answering,
    async () => {
      assert.equal((await ended(id)).status, 'succeeded');
    },
  );
});

test('a run that another node holds is left to it, and taken up when the lease is over', long, async () => {
  const id = await post();
  await sql`
    WITH other AS (INSERT INTO nodes (node, seen_at) VALUES (gen_random_uuid(), now() + interval '1 hour') RETURNING node)
    INSERT INTO taken_work (kind, key, node, times, taken_at, ends_at)
    SELECT 'review-change', ${id}, node, 1, now(), clock_timestamp() + interval '8 seconds' FROM other`;
  await withNode(
    () => answering,
    async () => {
      const run = await ended(id);
      assert.equal(run.status, 'succeeded');
      const [row] = await sql`SELECT attempts FROM review_runs WHERE id = ${id}`;
      assert.equal(row!.attempts, 1);
    },
  );
});

test(
  'a run that takes its node down again and again is given up, and so is one that cannot be done',
  long,
  async () => {
    const crashing = await post();
    await sql`UPDATE review_runs SET attempts = 3 WHERE id = ${crashing}`;
    const broken = await post();
    await sql`UPDATE review_runs SET attempts = 2 WHERE id = ${broken}`;
    await sql`UPDATE review_run_work SET diff = 'nothing' WHERE run_id = ${broken}`;
    await withNode(
      () => answering,
      async () => {
        for (const id of [crashing, broken]) {
          const run = await ended(id);
          assert.equal(run.status, 'failed');
          assert.match(run.reason, /given up after 3 attempts/);
        }
      },
    );
    const kept = await sql`SELECT 1 FROM review_run_work WHERE run_id IN (${crashing}, ${broken})`;
    assert.equal(kept.length, 0);
  },
);

test('a run that three nodes died of is not taken again: it has failed, and says why', long, async () => {
  const [poison, other] = [await post(), await post()];
  // The state that crashed nodes leave behind.
  await sql`
    INSERT INTO taken_work (kind, key, node, times, taken_at)
    VALUES ('review-change', ${poison}, gen_random_uuid(), 3, now() - interval '1 minute'), ('review-change', ${other}, gen_random_uuid(), 2, now() - interval '1 minute')`;
  await withNode(
    () => answering,
    async () => {
      const run = await ended(poison);
      assert.equal(run.status, 'failed');
      assert.equal(
        run.reason,
        'given up: the server ended again and again while it worked on this; its log says why',
      );
      assert.equal(run.usage.calls, 0);
      assert.equal((await ended(other)).status, 'succeeded');
    },
  );
  const left = await sql`SELECT key FROM taken_work`;
  assert.deepEqual([...left], [{ key: poison }]);
});

test('when the time is over, the run ends with what it has', long, async () => {
  // Long enough for the rules on this machine, found by trial.
  for (let seconds = 4, isAsked = false; !isAsked; seconds *= 2) {
    const { model, asked } = silentModel();
    void asked.then(() => {
      isAsked = true;
    });
    const id = await post();
    await withNode(
      () => model,
      async () => {
        const run = await ended(id);
        assert.equal(run.status, 'degraded');
        assert.deepEqual(run.coverage, [{ path: 'a.ts', state: 'partial', reason: 'time' }]);
        if (isAsked) assert.ok(run.findings.length > 0, 'what rules found is kept');
      },
      seconds,
    );
  }
});
