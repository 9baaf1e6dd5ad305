import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startLearnings } from '../../../../test/learnings-fixture.ts';
import { lifecycleOf } from '../../../../test/learnings-lifecycle.ts';
import { sampleKeys } from '../../../../test/sample-platform.ts';
import { approveLearnings, disapproveLearnings } from './decide-learnings.ts';
import { listPendingLearnings, type PendingPosition } from './list-pending-learnings.ts';

const test$ = await startLearnings();
const { sql } = test$.database;
const start = test$.now;
const { after, setDelays, stateOf, isExported, isFound, decide, scopeOf } = lifecycleOf(test$);

describe('without a configured delay', () => {
  test('a Learning from chat or a pipeline is approved and found immediately', async () => {
    await setDelays(0, null);
    for (const origin of ['chat', 'pipeline']) {
      const text = `Immediate advice from ${origin}`;
      await test$.capture(text, { origin, file: 'x.ts', source_url: 'https://a.test/c/1' });
      const state = await stateOf(text);
      assert.deepEqual([state!.origin, state!.visibility, state!.approval], [origin, 'shared', 'approved']);
      assert.ok(await isExported(text));
      assert.ok(await isFound(text));
      const [row] = await test$.list(`search=${encodeURIComponent(text)}`);
      assert.deepEqual([row.author_id, row.author_username, row.file], ['9002', 'user-9002', 'x.ts']);
    }
  });

  test("created_at is the event's time", async () => {
    await test$.capture('Captured yesterday', {}, after(-1));
    assert.deepEqual((await stateOf('Captured yesterday'))!.created_at, after(-1));
  });
});

describe('with a delay', () => {
  test('a Learning from chat waits; one from a pipeline or the API does not', async () => {
    await setDelays(7, null);
    await test$.capture('Chat waits here');
    await test$.capture('Pipeline goes ahead', { origin: 'pipeline' });
    await test$.create('The API goes ahead');
    const state = await stateOf('Chat waits here');
    assert.equal(state!.approval, 'pending');
    assert.deepEqual(state!.approval_deadline, after(7));
    assert.equal(await isExported('Chat waits here'), false);
    assert.equal(await isFound('Chat waits here'), false);
    for (const text of ['Pipeline goes ahead', 'The API goes ahead']) {
      assert.ok(await isExported(text));
      assert.ok(await isFound(text));
    }
  });

  test("the repository's setting overrides the organization's, also with 0", async () => {
    await setDelays(7, 2);
    await test$.capture('Two days here');
    assert.deepEqual((await stateOf('Two days here'))!.approval_deadline, after(2));
    await setDelays(7, 0);
    await test$.capture('No days here');
    assert.equal((await stateOf('No days here'))!.approval, 'approved');
    await setDelays(0, 3);
    await test$.capture('Three days here');
    assert.deepEqual((await stateOf('Three days here'))!.approval_deadline, after(3));
  });

  test('the deadline counts from the time of the event, however late it arrives', async () => {
    await setDelays(1, null);
    await test$.capture('Arrives late', {}, after(-2));
    assert.equal((await stateOf('Arrives late'))!.approval, 'pending');
    assert.ok(await isExported('Arrives late'), 'its deadline has passed');
    assert.ok(await isFound('Arrives late'));
  });

  test('a new setting leaves existing Learnings as they are', async () => {
    await setDelays(0, null);
    await test$.capture('Existing before the delay');
    await setDelays(30, null);
    assert.ok(await isExported('Existing before the delay'));
  });

  test('a passed deadline counts as approved to the millisecond, before the schedule has run and after', async () => {
    await setDelays(3, null);
    await test$.capture('Deadline to the millisecond');
    test$.now = new Date(after(3).getTime() - 1);
    assert.equal(await isExported('Deadline to the millisecond'), false);
    assert.equal(await isFound('Deadline to the millisecond'), false);
    await test$.runSchedule('learnings-lifecycle');
    assert.equal((await stateOf('Deadline to the millisecond'))!.approval, 'pending');
    test$.now = after(3);
    assert.ok(await isExported('Deadline to the millisecond'), 'the schedule is late');
    assert.ok(await isFound('Deadline to the millisecond'));
    await test$.runSchedule('learnings-lifecycle');
    assert.equal((await stateOf('Deadline to the millisecond'))!.approval, 'approved');
    assert.ok(await isExported('Deadline to the millisecond'));
    assert.ok(await isFound('Deadline to the millisecond'));
    const { id } = (await stateOf('Deadline to the millisecond'))!;
    const [entry] = await sql`
      SELECT actor_name, metadata FROM audit_entries WHERE resource_id = ${id} AND action = 'learning.approved'`;
    assert.equal(entry!.actor_name, 'System');
    assert.equal(entry!.metadata.automatic, true);
    test$.now = start;
  });

  test('an admin approves and disapproves several at once, each audited; others stay as they are', async () => {
    await setDelays(5, null);
    for (const text of ['Decide A', 'Decide B', 'Decide C', 'Decide D']) await test$.capture(text);
    const ids = await Promise.all(
      ['Decide A', 'Decide B', 'Decide C'].map(async (text) => (await stateOf(text))!.id),
    );
    const approvedBefore = (await stateOf('The API goes ahead'))!.id;
    const unknown = '00000000-0000-5000-8000-000000000001';
    const results = await decide(approveLearnings, [ids[0]!, ids[1]!, approvedBefore, unknown]);
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['done', 'done', 'not_pending', 'not_found'],
    );
    assert.ok(await isExported('Decide A'));
    assert.ok(await isFound('Decide B'));
    const refused = await decide(disapproveLearnings, [ids[2]!, ids[0]!]);
    assert.deepEqual(
      refused.map(({ outcome }) => outcome),
      ['done', 'not_pending'],
    );
    test$.now = after(6);
    assert.equal(await isExported('Decide C'), false, 'no deadline brings a disapproved one back');
    assert.equal(await isFound('Decide C'), false);
    await test$.runSchedule('learnings-lifecycle');
    assert.equal((await stateOf('Decide C'))!.approval, 'disapproved');
    const late = await decide(disapproveLearnings, [(await stateOf('Decide D'))!.id]);
    assert.equal(late[0]!.outcome, 'not_pending', 'its deadline had decided already');
    test$.now = start;
    const entries = await sql`
      SELECT action, actor_name FROM audit_entries WHERE resource_id = ANY(${ids}::text[])
        AND action <> 'learning.captured' ORDER BY action`;
    assert.deepEqual(
      entries.map((entry) => [entry.action, entry.actor_name]),
      [
        ['learning.approved', 'user-9001'],
        ['learning.approved', 'user-9001'],
        ['learning.disapproved', 'user-9001'],
      ],
    );
  });

  test('once the deadline has passed there is nothing to decide, even if the schedule is late', async () => {
    await setDelays(3, null);
    await test$.capture('Decided by its deadline');
    const { id } = (await stateOf('Decided by its deadline'))!;
    test$.now = after(3);
    assert.deepEqual(await decide(disapproveLearnings, [id]), [{ id, outcome: 'not_pending' }]);
    assert.ok(await isExported('Decided by its deadline'));
    test$.now = start;
  });

  test('a member who is not an admin cannot decide', async () => {
    const key = await test$.createKey({ ...sampleKeys.user, owner: '9002' });
    await assert.rejects(
      decide(approveLearnings, [], key),
      (error: { code?: string }) => error.code === 'NOT_ADMIN',
    );
  });

  test('an admin of another organization finds nothing to decide, and the Learning stays pending', async () => {
    await setDelays(5, null);
    await test$.capture('Decided at home only');
    const { id } = (await stateOf('Decided at home only'))!;
    const foreign = await test$.createKey({ ...sampleKeys.user, org_id: '1002' });
    for (const verb of [approveLearnings, disapproveLearnings])
      assert.deepEqual(await decide(verb, [id], foreign), [{ id, outcome: 'not_found' }]);
    assert.equal((await stateOf('Decided at home only'))!.approval, 'pending');
    assert.equal(await isExported('Decided at home only'), false);
  });

  test('POST of the text of a pending or disapproved Learning approves and shares that one as a duplicate', async () => {
    await setDelays(5, null);
    await test$.capture('Posted while pending', { pull_request: { number: 70, state: 'open' } });
    await test$.capture('Posted when disapproved');
    const disapproved = (await stateOf('Posted when disapproved'))!.id;
    await decide(disapproveLearnings, [disapproved]);
    const { results } = (await test$.post(['Posted while pending', 'Posted when disapproved'])).json;
    assert.deepEqual(
      results.map((result: { status: string }) => result.status),
      ['duplicate', 'duplicate'],
    );
    assert.equal(results[1].id, disapproved);
    for (const text of ['Posted while pending', 'Posted when disapproved']) {
      const state = await stateOf(text);
      assert.deepEqual([state!.visibility, state!.approval], ['shared', 'approved']);
      assert.ok(await isExported(text));
      assert.ok(await isFound(text));
    }
    await setDelays(0, null);
  });

  test('pending Learnings are listed for the dashboard, the most urgent first, page by page without a gap', async () => {
    const { scope } = await scopeOf(test$.key);
    const context = { scope, now: test$.now };
    const whole = await listPendingLearnings(test$, context, { after: undefined, limit: 200 });
    const texts = whole.data.map(({ learning }) => learning);
    assert.ok(texts.includes('Chat waits here') && !texts.includes('Arrives late'));
    const deadlines = whole.data.map(({ approval_deadline }) => approval_deadline);
    assert.deepEqual(deadlines, deadlines.toSorted());
    assert.deepEqual([whole.total, whole.next], [texts.length, null]);
    const paged: string[] = [];
    const totals: (number | null)[] = [];
    for (let after: PendingPosition | null | undefined; after !== null; ) {
      const page = await listPendingLearnings(test$, context, { after, limit: 1 });
      paged.push(...page.data.map(({ learning }) => learning));
      totals.push(page.total);
      after = page.next;
    }
    assert.deepEqual(paged, texts);
    assert.deepEqual(totals, [texts.length, ...texts.slice(1).map(() => null)]);
  });
});
