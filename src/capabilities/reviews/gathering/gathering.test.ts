import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { endedRun } from '../../../../test/ended-run.ts';
import { startTestApp } from '../../../../test/harness.ts';
import { lightRuleSources } from '../../../../test/light-rules.ts';
import { type Script, startScriptedModel } from '../../../../test/models/scripted-model.ts';
import { startToolServer } from '../../../../test/models/tool-server.ts';
import { cloudEvent } from '../../../../test/review-events.ts';
import { member, organization } from '../../../../test/sample-platform.ts';
import { confirmInstructions } from '../../../reviewer/model/prompt.ts';
import { createWorkQueue } from '../../../work/work-queue.ts';
import type { RunKey } from '../runs/run-record.ts';
import { addUsageOfAnswer, reserveForAnswer } from './answer-budget.ts';
import { addUsage, reserveBudget } from './budget-store.ts';

let script: Script = () => ({ answer: { summary: 'Fine.', findings: [] } });
const double = await startScriptedModel('openai', (asked) => script(asked));
const prices = { priceIn: 10, priceOut: 10 };
const server = await startTestApp({
  ruleSources: lightRuleSources,
  settings: {
    customerAddresses: { ranges: [['127.0.0.0', 8]], hosts: [] },
    model: { ...double.settings, ...prices },
    reviewLimits: { maxTokens: 200_000, maxSeconds: 60 },
  },
});
const { sql } = server.database;
beforeEach(() => server.resetLimits());

const code = 'export const limit = Number(process.env.LIMIT);';
const diff = `--- /dev/null\n+++ b/src/limit.ts\n@@ -0,0 +1,1 @@\n+${code}\n`;
const long = { timeout: 600_000 };

async function newTenant() {
  const own = organization({ members: [member('9001', { role: 'cr_admin', seat: true })] });
  await server.platform({ organizations: [own] });
  const orgId = own.provider_organization_id as string;
  const key = await server.createKey({ kind: 'user', provider: 'github', org_id: orgId, owner: '9001' });
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await server.call(method, path, { key, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.json;
  };
  const [row] = await sql`SELECT id FROM organizations WHERE provider_organization_id = ${orgId}`;
  return {
    orgId,
    organizationId: row!.id,
    call,
    settings: (body: unknown) => call('PUT', '/v1/settings/reviews', body),
    post: async (): Promise<string> => (await call('POST', '/v1/reviews', { repository_id: '501', diff })).id,
    ended: (id: string) => endedRun(server, id, key),
  };
}

/** Runs with workers of their own, and aborts their work afterwards. */
async function working<Result>(work: () => Promise<Result>): Promise<Result> {
  const queue = createWorkQueue({ target: server.target, units: () => server.app.units, onError: () => {} });
  await queue.startWorkers();
  return work().finally(() => queue.stop());
}

const finding = (more: object = {}) => ({
  path: 'src/limit.ts',
  quote: code,
  title: 'A limit that is not a number',
  body: 'Without the variable this is NaN.',
  severity: 'major',
  category: 'functional_correctness',
  suggestion: null,
  learning_ids: [],
  ...more,
});
const isSecondLook = (instructions: string) => instructions === confirmInstructions;
const raises =
  (more: object = {}): Script =>
  ({ instructions }) =>
    isSecondLook(instructions)
      ? { answer: { remove: [] } }
      : { answer: { summary: 'Reads a limit.', findings: [finding(more)] } };

test(
  'Learnings of the repository reach the model, are named by findings, and count as used once',
  long,
  async () => {
    const { call, post, ended } = await newTenant();
    const other = await newTenant();
    const learning = 'Number of process.env: export const limit must be validated with parseLimit';
    const create = (by: typeof call, repository_id: string, text: string) =>
      by('POST', '/v1/learnings', { data: [{ repository_id, learning: text }] });
    const { results } = await create(call, '501', learning);
    await create(call, '502', 'Limits of another repository');
    await create(other.call, '501', 'Limits of another organization');
    script = raises({ learning_ids: ['L1'] });
    const asked = double.calls.length;
    const run = await working(async () => ended(await post()));
    const shown = double.calls
      .slice(asked)
      .map(({ data }) => data)
      .join('\n');
    assert.match(shown, /validated with parseLimit/);
    assert.doesNotMatch(shown, /another (repository|organization)/);
    const raised = run.findings.find(({ source }: { source: { kind: string } }) => source.kind === 'model');
    assert.deepEqual(raised.learning_ids, [results[0].id]);
    const { data } = await call('GET', '/v1/learnings?repository_ids=501');
    assert.equal(data[0].usage_count, 1);
  },
);

test(
  "the organization's defaults and rules hold: the model can be off, and own rules find",
  long,
  async () => {
    const { settings, post, ended } = await newTenant();
    await settings({
      defaults: { reviews: { model: { enabled: false } } },
      ast_grep_rules: [
        'id: no-env\nlanguage: ts\nrule:\n  pattern: process.env.$A\nmessage: Read settings instead.\n',
      ],
    });
    const asked = double.calls.length;
    const run = await working(async () => ended(await post()));
    assert.equal(double.calls.length, asked);
    assert.equal(run.status, 'succeeded', run.reason);
    assert.deepEqual(
      run.findings.map(({ source }: { source: { name: string } }) => source.name),
      ['ast_grep/no-env'],
    );
    assert.equal(run.usage.calls, 0);
  },
);

test(
  'tools of a named MCP server are called with its headers, and the calls reported for the pull request',
  long,
  async () => {
    const { call, settings, post, ended, orgId } = await newTenant();
    const tools = await startToolServer({ search: { isReadOnly: true, answer: () => 'the limit is 5' } });
    await call('PUT', '/v1/settings/mcp-servers', [
      { name: 'tickets', url: tools.url, headers: { authorization: 'Bearer of-the-team' } },
    ]);
    const prUrl = `https://github.test/acme/api/pull/${orgId}`;
    const review = async () => {
      const id = await post();
      await sql`UPDATE review_runs SET pull_request = 7, pr_url = ${prUrl} WHERE id = ${id}`;
      return working(() => ended(id));
    };
    script = ({ tools: offered, toolAnswers }) =>
      offered.length > 0 && toolAnswers.length === 0
        ? { toolCalls: [{ name: 'tickets_search', input: { query: 'limit' } }] }
        : { answer: { summary: 'Fine.', findings: [] } };
    await review();
    assert.equal(tools.seenHeaders.length, 0, 'a server that the configuration does not name is not called');
    await settings({ defaults: { mcp: { servers: ['tickets'] } } });
    for (const _ of [1, 2]) assert.equal((await review()).status, 'succeeded');
    assert.equal(tools.seenHeaders.at(-1)!.authorization, 'Bearer of-the-team');
    const merged = {
      provider: 'github',
      org_id: orgId,
      repository_id: '501',
      number: 7,
      url: prUrl,
      state: 'merged',
      author_id: '9001',
      created_at: '2026-06-14T00:00:00Z',
      merged_at: '2026-06-15T00:00:00Z',
    };
    assert.equal((await server.events([cloudEvent('postil.pull_request', merged)])).json.failed, 0);
    const { data } = await call('GET', '/v1/metrics/mcp?start_date=2026-06-15&end_date=2026-06-15');
    assert.deepEqual(data[0].servers, [
      { name: 'tickets', calls: 2, tools: [{ name: 'search', calls: 2, failures: 0 }] },
    ]);
  },
);

test('a server that the organization does not have makes the run degraded, not fail', long, async () => {
  const { settings, post, ended } = await newTenant();
  await settings({ defaults: { mcp: { servers: ['wiki'] } } });
  script = raises();
  const run = await working(async () => ended(await post()));
  assert.equal(run.status, 'degraded');
  assert.match(run.reason, /no MCP server wiki/);
  assert.ok(run.findings.length > 0);
});

test('when the budget of the month is spent, the model is not asked, and the run says so', long, async () => {
  const { settings, post, ended } = await newTenant();
  script = raises();
  await settings({ budget_usd_per_month: 0.2 });
  const first = await working(async () => ended(await post()));
  assert.equal(first.status, 'succeeded', first.reason);
  assert.ok(first.usage.cost_usd > 0);
  await settings({ budget_usd_per_month: first.usage.cost_usd });
  const asked = double.calls.length;
  const second = await working(async () => ended(await post()));
  assert.equal(double.calls.length, asked);
  assert.equal(second.status, 'degraded');
  assert.match(second.reason, /budget/);
  assert.deepEqual(second.coverage, [{ path: 'src/limit.ts', state: 'partial', reason: 'budget' }]);
  const [row] =
    await sql`UPDATE review_runs SET created_at = '2026-05-31T23:00:00Z' WHERE id = ${first.id} RETURNING 1`;
  assert.ok(row);
  const third = await working(async () => ended(await post()));
  assert.equal(third.status, 'succeeded', 'what was spent last month does not count');
});

test('runs at the same time cannot reserve the same money', async () => {
  const { call, settings, post, organizationId } = await newTenant();
  await settings({ budget_usd_per_month: 5 });
  const runs = await Promise.all([1, 2, 3, 4].map(post));
  const allowances = await Promise.all(
    runs.map((runId) => reserveBudget(server.database, { organizationId, runId }, 2, server.now)),
  );
  const reserved = allowances.map(({ usd }) => usd!).toSorted();
  assert.deepEqual(reserved, [0, 1, 2, 2]);
  // Cancelled, so that the next test does not run these as well.
  for (const id of runs) await call('DELETE', `/v1/reviews/${id}`);
});

test("what a run's earlier attempts cost is missing from its month and from its tokens", async () => {
  const { call, settings, post, organizationId } = await newTenant();
  await settings({ budget_usd_per_month: 5 });
  const runId = await post();
  const run = { organizationId, runId };
  const reserveFor = (run: RunKey) => reserveBudget(server.database, run, 4, server.now);
  assert.deepEqual(await reserveFor(run), { usd: 4, usedTokens: 0 });
  await addUsage(sql, run, { model: 'any', inputTokens: 500, outputTokens: 100, costUsd: 2, calls: 1 });
  await addUsage(sql, run, { model: 'any', inputTokens: 200, outputTokens: 100, costUsd: 1, calls: 1 });
  assert.deepEqual(await reserveFor(run), { usd: 2, usedTokens: 900 });
  const other = await post();
  assert.deepEqual(await reserveFor({ organizationId, runId: other }), { usd: 0, usedTokens: 0 });
  for (const id of [runId, other]) await call('DELETE', `/v1/reviews/${id}`);
});

test('answers to questions count in the month as runs do', async () => {
  const { call, settings, post, organizationId } = await newTenant();
  await settings({ budget_usd_per_month: 5 });
  const [repository] = await sql`
    SELECT id FROM repositories WHERE organization_id = ${organizationId} AND provider_repository_id = '501'`;
  const question = { organizationId, repositoryId: repository!.id, number: 1, commentId: 'conversation/1' };
  await sql`
    INSERT INTO addressed_comments (organization_id, repository_id, number, comment_id, author_id, kind, state, decided_at)
    VALUES (${organizationId}, ${question.repositoryId}, 1, ${question.commentId}, '9001', 'question', 'pending', ${server.now})`;
  const runId = await post();
  const leftForRun = async () =>
    (await reserveBudget(server.database, { organizationId, runId }, 10, server.now)).usd;
  assert.equal((await reserveForAnswer(server.database, question, 4, server.now)).usd, 4);
  assert.equal(await leftForRun(), 1, 'what an answer may still cost is reserved');
  const used = { model: 'any', inputTokens: 10, outputTokens: 10, costUsd: 2, calls: 1 };
  await addUsageOfAnswer(sql, question, used);
  await sql`UPDATE addressed_comments SET answer = 'Yes.' WHERE organization_id = ${organizationId}`;
  assert.equal(await leftForRun(), 3, 'and then what it has cost');
  await call('DELETE', `/v1/reviews/${runId}`);
});

test('a run whose earlier attempts have used up its tokens asks no more', long, async () => {
  const { post, ended, organizationId } = await newTenant();
  script = raises();
  const runId = await post();
  const used = { model: 'any', inputTokens: 199_000, outputTokens: 1_000, costUsd: 1, calls: 1 };
  await addUsage(sql, { organizationId, runId }, used);
  const asked = double.calls.length;
  const run = await working(() => ended(runId));
  assert.equal(double.calls.length, asked);
  assert.equal(run.status, 'degraded', run.reason);
});

test('what an interrupted attempt used is paid for, and counts', long, async () => {
  const { post, ended } = await newTenant();
  const confirming = Promise.withResolvers<void>();
  const answer = raises();
  script = (asked) => {
    if (!isSecondLook(asked.instructions)) return answer(asked);
    confirming.resolve();
    return { answer: { remove: [] }, stallAfter: 1 };
  };
  const id = await post();
  await working(() => confirming.promise);
  const [interrupted] = await sql`SELECT calls, cost_usd, finished_at FROM review_runs WHERE id = ${id}`;
  assert.equal(interrupted!.finished_at, null);
  assert.ok(interrupted!.calls >= 1 && interrupted!.cost_usd > 0);
  script = answer;
  const run = await working(() => ended(id));
  assert.equal(run.status, 'succeeded', run.reason);
  assert.ok(run.usage.calls >= interrupted!.calls + 2, `${run.usage.calls} calls`);
  assert.ok(run.usage.cost_usd > interrupted!.cost_usd);
});
