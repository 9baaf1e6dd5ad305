import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, startLearnings } from '../../../../test/learnings-fixture.ts';
import { lifecycleOf } from '../../../../test/learnings-lifecycle.ts';
import { disapproveLearnings } from './decide-learnings.ts';

const test$ = await startLearnings();
const { sql } = test$.database;
const start = test$.now;
const { after, setDelays, reportPullRequest, stateOf, isExported, isFound, decide } = lifecycleOf(test$);

const open = (number: number) => ({ pull_request: { number, state: 'open' } });

test('a Learning is private: found by a review of that pull request only, and never exported', async () => {
  await test$.capture('Private to seven', open(7));
  assert.equal((await stateOf('Private to seven'))!.visibility, 'private');
  assert.equal(await isExported('Private to seven'), false);
  assert.equal(await isFound('Private to seven'), false);
  assert.equal(await isFound('Private to seven', 8), false);
  const [hit] = await test$.search('Private to seven', { pull_request: 7 });
  assert.deepEqual([hit.learning, hit.reasons.scope], ['Private to seven', 'pull_request']);
});

test('a private Learning that is pending is found by no one until it is approved', async () => {
  await setDelays(2, null);
  await test$.capture('Private and pending', open(7));
  assert.equal(await isFound('Private and pending', 7), false);
  test$.now = after(2);
  assert.ok(await isFound('Private and pending', 7));
  assert.equal(await isFound('Private and pending'), false);
  test$.now = start;
  await setDelays(0, null);
});

test('POST of its text promotes the existing record to shared and reports a duplicate', async () => {
  await test$.capture('To be published', open(9));
  const { id } = (await stateOf('To be published'))!;
  const { results, duplicate_count } = (await test$.post(['To be published'])).json;
  assert.deepEqual([results[0].status, results[0].id, duplicate_count], ['duplicate', id, 1]);
  assert.ok(await isExported('To be published'));
  assert.ok(await isFound('To be published'));
  const [counted] = await sql`SELECT count(*) AS n FROM learnings WHERE learning = 'To be published'`;
  assert.equal(counted!.n, 1);
  assert.equal((await stateOf('To be published'))!.author_id, '9002', 'its author stays');
  await reportPullRequest(9, 'closed', after(1));
  assert.ok(await isExported('To be published'), 'a published one is no longer bound to the pull request');
});

test('a merge shares it', async () => {
  await test$.capture('Merged advice', open(10));
  await reportPullRequest(10, 'merged', after(1));
  assert.deepEqual((await stateOf('Merged advice'))!.visibility, 'shared');
  assert.ok(await isExported('Merged advice'));
  assert.ok(await isFound('Merged advice'));
  await reportPullRequest(10, 'open', after(2));
  assert.ok(await isExported('Merged advice'), 'reopening takes nothing back');
});

test('a merge decides nothing: a pending Learning stays pending until its deadline, and a disapproved one stays disapproved', async () => {
  await setDelays(5, null);
  await test$.capture('Merged while pending', open(24));
  await test$.capture('Merged when disapproved', open(24));
  await decide(disapproveLearnings, [(await stateOf('Merged when disapproved'))!.id]);
  await reportPullRequest(24, 'merged', after(1));
  for (const [text, approval] of [
    ['Merged while pending', 'pending'],
    ['Merged when disapproved', 'disapproved'],
  ] as const) {
    const state = await stateOf(text);
    assert.deepEqual([state!.visibility, state!.approval], ['shared', approval]);
    assert.equal(await isExported(text), false);
    assert.equal(await isFound(text, 24), false);
  }
  test$.now = after(5);
  assert.ok(await isExported('Merged while pending'));
  assert.equal(await isExported('Merged when disapproved'), false);
  test$.now = start;
  await setDelays(0, null);
});

test('a pull request of the same number in another repository changes nothing, even in one batch with the right one', async () => {
  await test$.capture('Of the first repository', open(25));
  await test$.capture('Of the other repository', { repository_id: '502', ...open(25) });
  await test$.capture('Of the other repository', { repository_id: '502', ...open(26) });
  const closed = (repository: string, number: number) =>
    event(
      'postil.pull_request',
      {
        repository_id: repository,
        number,
        url: `https://github.test/acme/${repository}/pull/${number}`,
        state: 'closed',
        created_at: start.toISOString(),
      },
      after(1),
    );
  assert.equal((await test$.events([closed('501', 25), closed('502', 26)])).json.accepted, 2);
  assert.equal(await stateOf('Of the first repository'), undefined);
  const state = await stateOf('Of the other repository');
  assert.deepEqual([state?.visibility, state?.pull_requests], ['private', [25]]);
});

test('a close without a merge drops it, and only the private ones', async () => {
  await test$.capture('Dropped advice', open(11));
  await test$.capture('Unbound advice');
  await reportPullRequest(11, 'closed', after(1));
  assert.equal(await stateOf('Dropped advice'), undefined);
  assert.ok(await stateOf('Unbound advice'));
  assert.ok((await test$.auditActions()).includes('learning.dropped'));
});

test('an older event about the pull request never overrules a newer one', async () => {
  await test$.capture('Kept by the newest', open(12), after(1));
  await reportPullRequest(12, 'open', after(3));
  await reportPullRequest(12, 'closed', after(2));
  assert.equal((await stateOf('Kept by the newest'))!.visibility, 'private');
  await reportPullRequest(13, 'closed', after(1));
  await test$.capture('Captured after the close', open(13), after(2));
  assert.equal((await stateOf('Captured after the close'))!.visibility, 'private', 'open again by then');
  await reportPullRequest(13, 'closed', after(1));
  assert.ok(await stateOf('Captured after the close'));
});

test('a Learning that arrives after its pull request was merged or closed is shared or dropped', async () => {
  await reportPullRequest(14, 'merged', after(2));
  await test$.capture('Late for the merge', open(14), after(1));
  assert.equal((await stateOf('Late for the merge'))!.visibility, 'shared');
  await reportPullRequest(15, 'closed', after(2));
  await test$.capture('Late for the close', open(15), after(1));
  assert.equal(await stateOf('Late for the close'), undefined);
  await test$.capture('Reported as merged', { pull_request: { number: 16, state: 'merged' } });
  assert.equal((await stateOf('Reported as merged'))!.visibility, 'shared');
  await test$.capture('Reported as closed', { pull_request: { number: 17, state: 'closed' } });
  assert.equal(await stateOf('Reported as closed'), undefined);
});

test('the same guidance in two pull requests is one record for both, and lives until the last of them closes', async () => {
  await test$.capture('In two places', open(20));
  await test$.capture('In two places', open(21));
  assert.ok((await isFound('In two places', 20)) && (await isFound('In two places', 21)));
  await reportPullRequest(20, 'closed', after(1));
  assert.equal(await isFound('In two places', 20), false);
  assert.ok(await isFound('In two places', 21));
  await reportPullRequest(21, 'merged', after(1));
  assert.ok(await isExported('In two places'));
});

test('captured again without a pull request it becomes shared, and its approval stays', async () => {
  await setDelays(5, null);
  await test$.capture('Captured twice', open(22));
  await test$.capture('Captured twice');
  const state = await stateOf('Captured twice');
  assert.deepEqual([state!.visibility, state!.approval], ['shared', 'pending']);
  await decide(disapproveLearnings, [state!.id]);
  await test$.capture('Captured twice', { origin: 'pipeline' });
  assert.equal((await stateOf('Captured twice'))!.approval, 'disapproved');
  await setDelays(0, null);
});

test('lifecycle changes on one node are visible on the other immediately', async () => {
  const node = await test$.secondNode();
  const found = async () =>
    (await test$.search('Across the nodes', { limit: 50 }, node)).some(
      (row) => row.learning === 'Across the nodes',
    );
  await test$.capture('Across the nodes', open(23));
  assert.equal(await found(), false);
  await reportPullRequest(23, 'merged', after(1));
  assert.ok(await found());
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

for (const outcome of ['merged', 'closed'] as const) {
  test(`events arrive in any order, one by one or in one batch: ${outcome} decides`, async () => {
    let number = outcome === 'merged' ? 1000 : 2000;
    const expected = outcome === 'merged' ? 'shared' : undefined;
    const pullRequest = (state: string, days: number) => ({
      repository_id: '501',
      number,
      url: `https://github.test/acme/api/pull/${number}`,
      state,
      created_at: start.toISOString(),
      ...(state === 'merged' && { merged_at: after(days).toISOString() }),
    });
    for (const capturedOn of [0.5, 1.5, 2.5]) {
      for (const order of permutations([0, 1, 2])) {
        for (const isOneBatch of [true, false]) {
          number += 1;
          const learning = `Order ${outcome} ${number}`;
          const captured = {
            repository_id: '501',
            learning,
            author_id: '9002',
            origin: 'chat',
            pull_request: { number, state: capturedOn > 2 ? outcome : 'open' },
          };
          const events = [
            event('postil.learning_captured', captured, after(capturedOn)),
            event('postil.pull_request', pullRequest('open', 1), after(1)),
            event('postil.pull_request', pullRequest(outcome, 2), after(2)),
          ];
          const arriving = order.map((index) => events[index]!);
          for (const batch of isOneBatch ? [arriving] : arriving.map((each) => [each])) {
            const { json } = await test$.events(batch);
            assert.equal(json.failed, 0, JSON.stringify(json));
          }
          const state = await stateOf(learning);
          assert.equal(state?.visibility, expected, `captured on day ${capturedOn}, order ${order}`);
        }
      }
    }
  });
}
