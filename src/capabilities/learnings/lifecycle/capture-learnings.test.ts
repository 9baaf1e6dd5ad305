import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, startLearnings } from '../../../../test/learnings-fixture.ts';
import { lifecycleOf } from '../../../../test/learnings-lifecycle.ts';
import { organization } from '../../../../test/sample-platform.ts';

const test$ = await startLearnings();
const { after, stateOf, isExported, isFound } = lifecycleOf(test$);

test('the text is trimmed and redacted, and an invalid event fails alone', async () => {
  const data = (fields: Record<string, unknown>) => ({
    repository_id: '501',
    learning: 'Fine',
    author_id: '9002',
    origin: 'chat',
    ...fields,
  });
  const secret = `ghp_${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'}`;
  const events = [
    data({ learning: `  Never commit ${secret} ` }),
    data({ learning: ' ' }),
    data({ learning: secret }),
    data({ origin: 'api' }),
    data({ source_url: 'nowhere' }),
    data({ pull_request: { number: 0, state: 'open' } }),
    data({ extra: 1 }),
    data({ author_id: undefined }),
    data({ repository_id: '999' }),
  ].map((each) => event('postil.learning_captured', each, test$.now));
  const { json } = await test$.events(events);
  assert.deepEqual([json.accepted, json.failed], [1, 8]);
  assert.deepEqual(
    json.errors.map(({ code }: { code: string }) => code),
    [...Array(7).fill('INVALID_REQUEST'), 'NOT_FOUND'],
  );
  assert.ok(!JSON.stringify(json).includes(secret.slice(4)));
  assert.ok(await stateOf('Never commit [REDACTED]'));
});

test('a repeated event changes nothing, and many events with one text in one batch create one record', async () => {
  const one = event(
    'postil.learning_captured',
    { repository_id: '501', learning: 'Once only', author_id: '9002', origin: 'chat' },
    test$.now,
  );
  const twin = { ...one, id: 'twin', time: after(-3).toISOString() };
  const { json } = await test$.events([one, one, twin]);
  assert.deepEqual([json.accepted, json.duplicate], [2, 1]);
  assert.deepEqual((await stateOf('Once only'))!.created_at, after(-3), 'the earliest of a batch counts');
  assert.deepEqual((await test$.events([one])).json.duplicate, 1);
});

test('an event of another organization touches nothing here', async () => {
  await test$.platform({
    organizations: [organization({ provider_organization_id: '1002', workspace: 'acme' })],
  });
  await test$.capture('Foreign advice', { org_id: '1002' });
  assert.equal(await isExported('Foreign advice'), false);
  assert.equal(await isFound('Foreign advice'), false);
});
