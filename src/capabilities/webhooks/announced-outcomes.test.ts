import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import fc from '../../../test/properties.ts';
import { cloudEvent, finding, pullRequest, pullRequestEvent } from '../../../test/review-events.ts';
import { sampleKeys, samplePlatform } from '../../../test/sample-platform.ts';
import { decideOutcome } from '../findings/outcomes/decide-outcome.ts';
import { type NewEvidence, settleOutcome } from '../findings/outcomes/settle-outcome.ts';
import type { Signal } from '../findings/signals/signal.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const key = await server.createKey(sampleKeys.organization);
const created = await server.call('POST', '/v1/webhooks', {
  key,
  body: { url: 'https://198.51.99.1/', types: ['postil.finding.outcome_changed'] },
});
assert.equal(created.status, 201, created.text);
beforeEach(() => server.database.sql`DELETE FROM webhook_deliveries`);

async function send(...events: object[]) {
  const { json } = await server.events(events);
  assert.deepEqual([json.accepted, json.errors], [events.length, []]);
}

/** The announcements since the last call: the outcome of each finding, and the deciding signal. */
async function announced() {
  const rows = await server.database.sql`
    DELETE FROM webhook_deliveries RETURNING position, type, subject, data`;
  return rows
    .sort((a, b) => Number(a.position) - Number(b.position))
    .map(({ type, subject, data }) => {
      assert.equal(type, 'postil.finding.outcome_changed');
      assert.match(
        subject,
        new RegExp(`^findings/pull/${data.pr_url.split('/').at(-1)}/${data.finding_id}$`),
      );
      return [data.finding_id, data.accepted, data.signal];
    });
}

const outcome = (pr_url: string, finding_id: unknown, accepted: boolean | null, more: object = {}) =>
  cloudEvent('postil.finding_outcome', { pr_url, finding_id, accepted, ...more });

test('an outcome that comes in as an event, once for each real change', async () => {
  const one = finding({ finding_id: 'one' });
  const pull = pullRequest({ findings: [one] });
  await send(pullRequestEvent(pull));
  assert.deepEqual(await announced(), []);
  await send(outcome(pull.url, 'one', null));
  assert.deepEqual(await announced(), [], 'it was unknown before');
  await send(outcome(pull.url, 'one', true, { signal: 'thread_resolved' }));
  assert.deepEqual(await announced(), [['one', true, 'thread_resolved']]);
  const again = outcome(pull.url, 'one', true);
  await send(again);
  assert.deepEqual((await server.events([again])).json.duplicate, 1);
  assert.deepEqual(await announced(), [], 'the same again');
  await send(outcome(pull.url, 'one', false));
  assert.deepEqual(await announced(), [['one', false, null]]);
  await send(
    cloudEvent(
      'postil.finding_outcome',
      { pr_url: pull.url, finding_id: 'one', accepted: true },
      '2026-01-01T00:00:00Z',
    ),
  );
  assert.deepEqual(await announced(), [], 'older than what is known');
  await send(outcome(pull.url, 'one', true), outcome(pull.url, 'one', null), outcome(pull.url, 'one', false));
  assert.deepEqual(await announced(), [], 'in the end nothing has changed');
  await send(outcome(pull.url, 'one', true), outcome(pull.url, 'one', null));
  assert.deepEqual(await announced(), [['one', null, null]]);
});

test('an outcome that a pull request event brings, and not one that it leaves alone', async () => {
  const [one, two] = [finding({ finding_id: 'one' }), finding({ finding_id: 'two' })];
  const pull = pullRequest({ state: 'open', merged_at: null, findings: [{ ...one, accepted: true }, two] });
  await send(pullRequestEvent(pull));
  assert.deepEqual(await announced(), [['one', true, null]]);
  await send(pullRequestEvent({ ...pull, findings: [one, two], author_id: '9001' }));
  assert.deepEqual(await announced(), [], 'without `accepted`');
  await send(
    pullRequestEvent({
      ...pull,
      findings: [
        { ...one, accepted: true },
        { ...two, accepted: false },
      ],
    }),
  );
  assert.deepEqual(await announced(), [['two', false, null]]);
  await send(pullRequestEvent({ ...pull, findings: [{ ...two, accepted: null }] }));
  assert.deepEqual(await announced(), [['two', null, null]]);
  await send(pullRequestEvent({ ...pull, findings: [one, two] }));
  assert.deepEqual(await announced(), [], 'a finding that returns as it was');
});

test('an outcome that came before its finding or its pull request, when that comes', async () => {
  const [one, two] = [finding({ finding_id: 'one' }), finding({ finding_id: 'two' })];
  const pull = pullRequest({ findings: [one] });
  await send(outcome(pull.url, 'one', true, { signal: 'reply_fixed' }));
  assert.deepEqual(await announced(), []);
  await send(pullRequestEvent(pull));
  assert.deepEqual(await announced(), [['one', true, 'reply_fixed']]);
  await send(outcome(pull.url, 'two', false, { signal: 'dismissed' }));
  assert.deepEqual(await announced(), []);
  await send(pullRequestEvent({ ...pull, findings: [one, two] }));
  assert.deepEqual(await announced(), [['two', false, 'dismissed']]);
  await send(pullRequestEvent({ ...pull, findings: [one] }));
  await send(pullRequestEvent({ ...pull, findings: [one, two] }));
  assert.deepEqual(await announced(), []);
});

test('nothing of an event that fails, and nothing to other organizations', async () => {
  const pull = pullRequest({ findings: [finding({ finding_id: 'one' })] });
  await send(pullRequestEvent(pull));
  const failing = outcome(pull.url, 'one', true, { org_id: '404' });
  assert.equal((await server.events([failing])).json.failed, 1);
  const elsewhere = pullRequest({
    org_id: '3001',
    repository_id: '501',
    findings: [finding({ accepted: true })],
  });
  assert.equal((await server.events([pullRequestEvent(elsewhere)])).json.accepted, 1);
  assert.deepEqual(await announced(), []);
});

test('nothing when this server only finds more evidence for what it has said', async () => {
  const [place] = await server.database.sql`
    SELECT r.organization_id, r.id FROM repositories r JOIN organizations o ON o.id = r.organization_id
    WHERE o.provider_organization_id = '3001' AND r.provider_repository_id = '501'`;
  const own = await server.createKey({ ...sampleKeys.organization, org_id: '3001' });
  const types = ['postil.finding.outcome_changed'];
  await server.call('POST', '/v1/webhooks', { key: own, body: { url: 'https://198.51.99.2/', types } });
  const { url, number } = pullRequest();
  const subject = {
    organizationId: place!.organization_id,
    repositoryId: place!.id,
    of: { pullRequest: number },
    findingId: 'one',
  };
  const reply = (id: string): Signal => ({
    signal: 'reply_wont_fix',
    source: 'host',
    at: server.now,
    actor: { id, name: `user-${id}`, isBot: false },
    evidence: { id: `comment-${id}` },
  });
  const settle = (id: string) =>
    server.database.transaction((tx) =>
      settleOutcome(tx, subject, { signals: [reply(id)], prUrl: url }, server.now),
    );
  await settle('9001');
  assert.deepEqual(await announced(), [['one', false, 'reply_wont_fix']]);
  await settle('9002');
  assert.deepEqual(await announced(), []);
});

/** Facts as hosts, rules and people report them; observations of one version of the code are always the same. */
const anyFact = fc.oneof(
  fc.tuple(
    fc.constantFrom<Signal['signal'][]>(
      'lines_changed',
      'named_change',
      'suggestion_landed',
      'finding_gone',
      'merged_untouched',
    ),
    fc.constantFrom('former', 'h'),
  ),
  fc.tuple(
    fc.constantFrom<Signal['signal'][]>(
      'reply_fixed',
      'reply_wont_fix',
      'thread_resolved',
      'thread_reopened',
      'reaction',
    ),
    fc.integer({ min: 0, max: 2 }),
    fc.boolean(),
  ),
  fc.tuple(fc.constantFrom(true, false, null), fc.integer({ min: 0, max: 2 })),
);

function signalOf([what, where, isBot]: typeof anyFact extends fc.Arbitrary<infer Fact>
  ? Fact
  : never): Signal {
  const at = new Date(server.now.getTime() + (typeof where === 'number' ? where * 1000 : 0));
  const actor = { id: isBot ? '9002' : '9001', name: isBot ? 'fixer' : 'ada', isBot: isBot === true };
  if (typeof what !== 'string')
    return {
      signal: what === false ? 'dismissed' : 'confirmed',
      source: 'api',
      at,
      actor,
      evidence: { accepted: what },
    };
  if (typeof where === 'number')
    return { signal: what, source: 'host', at, actor, evidence: { id: `${what} ${where} ${isBot}` } };
  const evidence = { head: where, posted: 'p', chance: 0.1, comment_of: 'person', still_raised: null };
  return { signal: what, source: what === 'finding_gone' ? 'rule' : 'git', at, actor: null, evidence };
}

test('any history in any order of delivery ends in one verdict, which changes only with new evidence, each change announced once', async () => {
  const { sql } = server.database;
  const [place] = await sql`
    SELECT r.organization_id, r.id FROM repositories r JOIN organizations o ON o.id = r.organization_id
    WHERE o.provider_organization_id = '1001' AND o.instance_id IS NULL AND r.provider_repository_id = '501'`;
  const { url, number } = pullRequest();
  const of = { pullRequest: number };
  let findings = 0;
  /** Delivers the signals one by one to a new finding, and returns its final outcome. */
  async function deliver(signals: readonly Signal[]) {
    const findingId = `finding-${++findings}`;
    const key = { organizationId: place!.organization_id, repositoryId: place!.id, of, findingId };
    const known = async () =>
      (await sql`SELECT 1 FROM finding_signals WHERE finding_id = ${findingId}`).length;
    const changes: unknown[][] = [];
    let last: boolean | null = null;
    for (const signal of signals) {
      const before = await known();
      const {
        accepted,
        isChanged,
        signal: by,
      } = await server.database.transaction((tx) =>
        settleOutcome(tx, key, { signals: [signal], head: 'h', prUrl: url }, server.now),
      );
      assert.equal(isChanged, accepted !== last);
      if (isChanged) assert.equal(await known(), before + 1, 'it changed without new evidence');
      if (isChanged) changes.push([findingId, accepted, by]);
      last = accepted;
    }
    assert.deepEqual(await announced(), changes);
    return last;
  }
  const history = fc.uniqueArray(anyFact, {
    minLength: 1,
    maxLength: 6,
    selector: (fact) => JSON.stringify(fact),
  });
  const deliveries = history.chain((facts) =>
    fc.tuple(fc.constant(facts), fc.shuffledSubarray([...facts, ...facts], { minLength: facts.length * 2 })),
  );
  await fc.assert(
    fc.asyncProperty(deliveries, async ([facts, mixed]) => {
      const inOrder = facts.map(signalOf);
      const verdict = decideOutcome(inOrder, 'h').accepted;
      assert.equal(await deliver(inOrder), verdict);
      assert.equal(await deliver(mixed.map(signalOf)), verdict);
    }),
    { numRuns: 30 },
  );
});

test('a verdict changes only with new evidence: what is seen beside it, or the same again, leaves it alone', async () => {
  const [place] = await server.database.sql`
    SELECT r.organization_id, r.id FROM repositories r JOIN organizations o ON o.id = r.organization_id
    WHERE o.provider_organization_id = '1001' AND o.instance_id IS NULL AND r.provider_repository_id = '501'`;
  const { url, number } = pullRequest();
  const key = {
    organizationId: place!.organization_id,
    repositoryId: place!.id,
    of: { pullRequest: number },
    findingId: 'steady',
  };
  const settle = (evidence: Omit<NewEvidence, 'prUrl'>) =>
    server.database.transaction((tx) => settleOutcome(tx, key, { ...evidence, prUrl: url }, server.now));
  const seen = (signal: Signal['signal'], source: Signal['source'], evidence: Signal['evidence']): Signal => {
    const actor = source === 'host' ? { id: '9001', name: 'user-9001', isBot: false } : null;
    return { signal, source, at: server.now, actor, evidence };
  };
  const landed = [seen('suggestion_landed', 'git', { head: 'h1', posted: 'p' })];
  assert.equal((await settle({ signals: landed, head: 'h1' })).isChanged, true);
  assert.deepEqual(await announced(), [['steady', true, 'suggestion_landed']]);
  for (const evidence of [
    { signals: [] },
    { signals: [seen('reaction', 'host', { id: 'r1' })] },
    { signals: [seen('thread_resolved', 'host', { thread: 't' })] },
    { signals: landed, head: 'h1', chance: 0.3 },
  ]) {
    const { accepted, isChanged } = await settle(evidence);
    assert.deepEqual([accepted, isChanged], [true, false], JSON.stringify(evidence));
  }
  assert.deepEqual(await announced(), []);
  // In a version without the suggestion, it is no longer in the code.
  assert.equal((await settle({ signals: [], head: 'h2' })).isChanged, true);
  assert.deepEqual(await announced(), [['steady', null, null]]);
});

test('an outcome that this server found out itself, once, wherever its finding is in the metrics by then', async () => {
  const { sql } = server.database;
  const [place] = await sql`
    SELECT r.organization_id AS "organizationId", r.id AS "repositoryId"
    FROM repositories r JOIN organizations o ON o.id = r.organization_id
    WHERE o.provider_organization_id = '1001' AND o.instance_id IS NULL AND r.provider_repository_id = '501'`;
  const at = place as Pick<Parameters<typeof settleOutcome>[1], 'organizationId' | 'repositoryId'>;
  const report = server.app.units.find(({ name }) => name === 'report-outcomes')!;
  async function settle(pull: { number: number; url: string }, accepted: boolean) {
    server.now = new Date(server.now.getTime() + 1000);
    const signal: Signal = {
      signal: accepted ? 'confirmed' : 'dismissed',
      source: 'api',
      at: server.now,
      actor: { id: '9001', name: 'user-9001', isBot: false },
      evidence: { accepted },
    };
    const key = { ...at, of: { pullRequest: pull.number }, findingId: 'one' };
    await server.database.transaction((tx) =>
      settleOutcome(tx, key, { signals: [signal], prUrl: pull.url }, server.now),
    );
    const said = await announced();
    assert.deepEqual(said, [['one', accepted, signal.signal]]);
    await report.run(at as never, {} as never);
  }
  const listed = pullRequest({ findings: [finding({ finding_id: 'one' })] });
  const isKnown = { ...listed, ...pullRequest(), findings: [] };
  const isUnknown = { ...pullRequest(), findings: listed.findings };
  await send(pullRequestEvent(listed), pullRequestEvent(isKnown));
  for (const pull of [listed, isKnown, isUnknown]) {
    await settle(pull, true);
    await send(pullRequestEvent({ ...pull, findings: listed.findings }));
    assert.deepEqual(await announced(), []);
    const time = new Date(server.now.getTime() + 500).toISOString();
    const fromOutside = { pr_url: pull.url, finding_id: 'one', accepted: false };
    await send({ ...cloudEvent('postil.finding_outcome', fromOutside, time), source: '/findings' });
    assert.deepEqual(await announced(), [['one', false, null]], 'an event from outside, whatever its source');
    await settle(pull, false);
    assert.deepEqual(await announced(), []);
  }
});
