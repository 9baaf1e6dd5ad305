import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { storeFindings } from '../../../../test/posted-findings.ts';
import fc from '../../../../test/properties.ts';
import { organization, sampleKeys, samplePlatform } from '../../../../test/sample-platform.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { storeOutcome } from '../run-findings/store-outcome.ts';
import { countRulesSchedule, recountRules } from './count-rules.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const workspaceKey = await server.createKey(sampleKeys.workspace);
const { sql } = server.database;
const now = new Date('2026-07-01T10:00:00Z');
beforeEach(() => server.resetLimits());

const path = '/v1/reviews/rules';
const unloved = 'oxlint/no-debugger';

async function newTenant() {
  const own = organization();
  await server.platform({ organizations: [own] });
  const orgId = String(own.provider_organization_id);
  const request = { kind: 'organization', provider: 'github', org_id: orgId };
  const key = await server.createKey({ ...request, owner: '9001' });
  const [row] = await sql<{ organizationId: OrganizationId; repositoryId: string }[]>`
    SELECT o.id AS "organizationId", r.id AS "repositoryId"
    FROM organizations o JOIN repositories r ON r.organization_id = o.id WHERE o.provider_organization_id = ${orgId}`;
  const at = row!;
  return {
    ...at,
    key,
    memberKey: await server.createKey({ ...request, owner: '9002' }),
    store: (findings: Parameters<typeof storeFindings>[2]) => storeFindings(sql, at, findings),
    put: (rule: string, state: unknown, by = key) =>
      server.call('PUT', `${path}/${encodeURIComponent(rule)}`, { key: by, body: { state } }),
    rule: async (rule: string) =>
      (await server.get(path, key)).json.data.find((row: { rule: string }) => row.rule === rule),
    audits: async () =>
      (await server.get('/v1/audit-logs?actions=review_rule.updated', key)).json.data as {
        resourceSummary: string;
        metadata: unknown;
      }[],
  };
}

/** This many findings of a rule, all rejected, distributed over pull requests. */
const rejected = (rule: string, count: number, pulls = 3) =>
  Array.from({ length: count }, (_, index) => ({
    id: `${rule}-${index}`,
    pull: 1 + (index % pulls),
    rules: [rule],
    accepted: false,
  }));

test('every rule that can raise something is listed, by name and page by page', async () => {
  const { key } = await newTenant();
  const { json, status, text } = await server.get(path, key);
  assert.equal(status, 200, text);
  assert.equal(json.next_cursor, null);
  const names: string[] = json.data.map(({ rule }: { rule: string }) => rule);
  assert.deepEqual(names, names.toSorted());
  for (const rule of [
    'oxlint/no-debugger',
    'ruff/F401',
    'secrets/assignment',
    'references/removed',
    'shell/SC2115',
  ])
    assert.ok(names.includes(rule), rule);
  assert.deepEqual(json.data[names.indexOf(unloved)], {
    rule: unloved,
    posted: 0,
    accepted: 0,
    rejected: 0,
    unknown: 0,
    chance: null,
    state: 'active',
    since: null,
  });
  const first = (await server.get(`${path}?limit=300`, key)).json;
  const second = (await server.get(`${path}?limit=1000&cursor=${first.next_cursor}`, key)).json;
  assert.deepEqual([...first.data, ...second.data], json.data);
});

test('a rule whose findings are not accepted is quiet, on evidence of three pull requests at least', async () => {
  const few = await newTenant();
  await few.store(rejected(unloved, 19));
  assert.equal((await few.rule(unloved)).state, 'active', '19 outcomes');
  const narrow = await newTenant();
  await narrow.store(rejected(unloved, 40, 2));
  assert.equal((await narrow.rule(unloved)).state, 'active', 'two pull requests');
  const enough = await newTenant();
  await enough.store([
    ...rejected(unloved, 20),
    { id: 'unknown', pull: 4, rules: [unloved], chance: 0.25 },
    { id: 'silent', pull: 4, rules: [unloved], isPosted: false },
  ]);
  const row = await enough.rule(unloved);
  assert.deepEqual(
    { ...row, since: null },
    {
      rule: unloved,
      posted: 21,
      accepted: 0,
      rejected: 20,
      unknown: 1,
      chance: 0.25,
      state: 'quiet',
      since: null,
    },
  );
  await enough.store([{ id: 'accepted', pull: 5, rules: [unloved], accepted: true }]);
  assert.equal((await enough.rule(unloved)).state, 'active', 'one of 21: at best 23 %');
});

test('credentials and known vulnerabilities are never quiet', async () => {
  const tenant = await newTenant();
  for (const rule of ['secrets/assignment', 'dependencies/vulnerable']) {
    await tenant.store(rejected(rule, 100, 10));
    assert.equal((await tenant.rule(rule)).state, 'active', rule);
  }
});

test('since when a rule stands as it does is noted when its outcomes, the settings or an admin change that', async () => {
  const tenant = await newTenant();
  const { organizationId, repositoryId } = tenant;
  await tenant.store(rejected(unloved, 19));
  await tenant.store([{ id: 'last', pull: 3, rules: [unloved] }]);
  const settle = (accepted: boolean | null) =>
    server.database.transaction((tx) =>
      storeOutcome(
        tx,
        { organizationId, repositoryId, of: { pullRequest: 3 }, findingId: 'last' } as Parameters<
          typeof storeOutcome
        >[1],
        { accepted, chance: null },
        now,
      ),
    );
  await settle(false);
  assert.deepEqual(await tenant.rule(unloved).then(({ state, since }) => [state, since]), [
    'quiet',
    now.toISOString(),
  ]);
  await settle(null);
  assert.deepEqual(await tenant.rule(unloved).then(({ state, since }) => [state, since]), [
    'active',
    now.toISOString(),
  ]);
  const attention = (given: object) =>
    server.call('PUT', '/v1/settings/reviews', {
      key: tenant.key,
      body: { defaults: { reviews: { attention: given } } },
    });
  assert.equal((await attention({ min_outcomes: 10 })).status, 200);
  const eased = await tenant.rule(unloved);
  assert.equal(eased.state, 'quiet');
  assert.notEqual(eased.since, now.toISOString());
  assert.equal((await attention({ min_outcomes: 10, enabled: false })).status, 200);
  assert.equal((await tenant.rule(unloved)).state, 'active');
});

test('an admin pins a rule, switches it off and lets it go again; each change is audited once', async () => {
  const { put, rule, audits, memberKey, key } = await newTenant();
  for (const state of ['pinned', 'pinned', 'off', 'automatic', 'automatic']) {
    const answer = await put(unloved, state);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json.state, state === 'automatic' ? 'active' : state);
    assert.deepEqual(answer.json, await rule(unloved));
  }
  assert.deepEqual(
    (await audits()).map(({ resourceSummary, metadata }) => [resourceSummary, metadata]),
    [
      [unloved, { state: { from: 'off', to: 'automatic' } }],
      [unloved, { state: { from: 'pinned', to: 'off' } }],
      [unloved, { state: { from: 'automatic', to: 'pinned' } }],
    ],
  );
  const named = await server.call('PUT', path, { key, body: { rule: unloved, state: 'off' } });
  assert.deepEqual([named.status, named.json], [200, await rule(unloved)]);
  assert.equal((await put(unloved, 'pinned', memberKey)).status, 403);
  assert.equal((await put(unloved, 'quiet')).status, 400);
  assert.equal((await rule(unloved)).state, 'off');
});

test('a rule that nobody knows is not found; that of another analyzer is once it was seen', async () => {
  const { put, store, audits, key } = await newTenant();
  assert.equal((await put('semgrep/sqli', 'off')).status, 404);
  assert.equal((await put('oxlint/no-such-rule', 'off')).status, 404);
  await store([{ id: 'f', pull: 1, rules: ['semgrep/sqli'] }]);
  assert.equal((await put('semgrep/sqli', 'off')).status, 200);
  assert.equal((await audits()).length, 1);
  const own =
    'id: no-console\nlanguage: ts\nrule:\n  pattern: console.log($$$A)\nmessage: No console here.\n';
  await server.call('PUT', '/v1/settings/reviews', { key, body: { ast_grep_rules: [own] } });
  assert.equal((await put('ast_grep/no-console', 'pinned')).status, 200);
});

test('what one organization learns or decides changes nothing in another', async () => {
  const [one, other] = [await newTenant(), await newTenant()];
  const before = (await server.get(path, other.key)).json;
  await one.store(rejected(unloved, 60, 6));
  await one.store(rejected('semgrep/sqli', 60, 6));
  await one.put('text/json', 'off');
  assert.equal((await one.rule(unloved)).state, 'quiet');
  assert.deepEqual((await server.get(path, other.key)).json, before);
  assert.deepEqual((await server.get(`${path}/replay`, other.key)).json.before.comments, 0);
  assert.equal((await other.put('semgrep/sqli', 'off')).status, 404);
  assert.equal((await server.get(path, workspaceKey)).status, 400, 'a workspace names its organization');
});

const someRules = fc.uniqueArray(fc.constantFrom('text/json', 'text/yaml', 'ruff/F401'), { minLength: 1 });
const accepted = fc.constantFrom(true, false, null);
const step = fc.record({
  what: fc.constantFrom('add', 'settle', 'settle', 'post', 'join', 'remove'),
  findings: fc.uniqueArray(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 4 }),
  rules: someRules,
  accepted,
  chance: fc.oneof(fc.constant(null), fc.double({ min: 0, max: 1, noNaN: true })),
});

test('counts equal a count from scratch, after any history of findings, verdicts, undoing and repeats', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { organizationId, repositoryId, store } = await newTenant();
      const isIt = (findings: readonly number[]) => sql`
        organization_id = ${organizationId} AND finding_id = ANY(${findings.map((id) => `f${id}`)}::text[])`;
      for (const { what, findings, rules, accepted, chance } of steps) {
        if (what === 'add')
          for (const id of findings)
            await store([
              { id: `f${id}`, pull: 1 + (id % 3), rules, accepted, chance, isPosted: id % 2 === 0 },
            ]).catch((error: Error) => assert.match(error.message, /duplicate/));
        else if (what === 'settle')
          await sql`UPDATE review_findings SET accepted = ${accepted}, chance = ${chance} WHERE ${isIt(findings)}`;
        else if (what === 'post')
          await sql`UPDATE review_findings SET comment_id = 'c' WHERE ${isIt(findings)}`;
        else if (what === 'join')
          await sql`UPDATE review_findings SET rules = ${rules} WHERE ${isIt(findings)}`;
        else await sql`DELETE FROM review_findings WHERE ${isIt(findings)}`;
      }
      const kept = await countsOf(organizationId);
      assert.deepEqual(kept, await countFromScratch(organizationId));
      await server.database.transaction((tx) => recountRules(tx, organizationId, now));
      assert.deepEqual(await countsOf(organizationId), kept, repositoryId);
    }),
    { numRuns: 15 },
  );
});

async function countsOf(organizationId: string) {
  const rows = await sql`
    SELECT rule, raised::integer, posted::integer, accepted::integer, rejected::integer, unknown::integer, chances::integer,
      trim_scale(chance_sum)::text AS sum, pull_requests::integer AS pulls
    FROM review_rules WHERE organization_id = ${organizationId} AND raised > 0 ORDER BY rule`;
  return rows.map((row) => ({ ...row }));
}

async function countFromScratch(organizationId: string) {
  const findings = await sql`
    SELECT pull_request AS pull, rules, comment_id IS NOT NULL AS posted, accepted, chance::text::numeric AS chance
    FROM review_findings WHERE organization_id = ${organizationId}`;
  const names = [...new Set(findings.flatMap(({ rules }) => rules as string[]))].sort();
  return Promise.all(
    names.map(async (rule) => {
      const own = findings.filter(({ rules }) => rules.includes(rule));
      const chances = own.flatMap(({ chance }) => (chance === null ? [] : [String(chance)]));
      const [row] =
        await sql`SELECT trim_scale(coalesce(sum(x::numeric), 0))::text AS sum FROM unnest(${chances}::text[]) x`;
      return {
        rule,
        raised: own.length,
        posted: own.filter(({ posted }) => posted).length,
        accepted: own.filter(({ accepted }) => accepted === true).length,
        rejected: own.filter(({ accepted }) => accepted === false).length,
        unknown: own.filter(({ accepted, posted }) => posted && accepted === null).length,
        chances: chances.length,
        sum: row!.sum,
        pulls: new Set(own.filter(({ accepted }) => accepted !== null).map(({ pull }) => pull)).size,
      };
    }),
  );
}

test('findings from before anybody counted are counted by a schedule, once', async () => {
  const { organizationId, store, rule } = await newTenant();
  await store(rejected(unloved, 20));
  await sql`DELETE FROM review_rule_pull_requests WHERE organization_id = ${organizationId}`;
  await sql`DELETE FROM review_rules WHERE organization_id = ${organizationId}`;
  await sql`INSERT INTO review_rule_backlog VALUES (${organizationId})`;
  const schedule = countRulesSchedule({ database: server.database, clock: () => now });
  for (let times = 0; times < 2; times += 1) {
    await schedule.run(new AbortController().signal);
    const { rejected: counted, state, since } = await rule(unloved);
    assert.deepEqual([counted, state, since], [20, 'quiet', now.toISOString()]);
  }
  assert.deepEqual([...(await sql`SELECT * FROM review_rule_backlog`)], []);
});

test('a replay of the same history gives the same answer, and changes nothing', async () => {
  const { organizationId, key, store, rule, put } = await newTenant();
  const day = (number: number) => new Date(Date.UTC(2026, 0, number));
  await store(
    Array.from({ length: 90 }, (_, index) => ({
      id: `f${index}`,
      pull: 1 + Math.floor(index / 3),
      rules: [index % 3 === 0 ? 'text/json' : unloved],
      accepted: index % 3 === 0,
      postedAt: day(index + 1),
    })),
  );
  await sql`
    INSERT INTO finding_outcomes (organization_id, repository_id, subject, finding_id, accepted, changed_at, is_reported)
    SELECT organization_id, repository_id, 'pull/' || pull_request, finding_id, accepted, posted_at + interval '1 hour', true
    FROM review_findings WHERE organization_id = ${organizationId}`;
  const replay = async (query = '') => {
    const { json, status, text } = await server.get(`${path}/replay${query}`, key);
    assert.equal(status, 200, text);
    return json;
  };
  const before = await rule(unloved);
  const first = await replay();
  assert.deepEqual(await replay(), first);
  assert.deepEqual(await rule(unloved), before);
  assert.deepEqual([first.pull_requests, first.before.comments, first.before.acceptance], [30, 90, 0.3333]);
  assert.equal(first.after.accepted, 30, 'nothing is lost that was accepted');
  // 20 until it is quiet, and few of the other 40.
  assert.ok(first.after.comments >= 50 && first.after.comments < 65, `${first.after.comments}`);
  assert.deepEqual(
    first.rules.map(({ rule }: { rule: string }) => rule),
    [unloved],
  );
  assert.equal((await replay('?min_outcomes=1000')).after.comments, 90);
  assert.ok((await replay('?min_outcomes=5&mute_below=0.5')).after.comments < first.after.comments);
  await put(unloved, 'pinned');
  assert.equal((await replay()).after.comments, 90);
  assert.equal((await server.get(`${path}/replay?mute_below=2`, key)).status, 400);
});
