import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, startLearnings } from '../../../../test/learnings-fixture.ts';
import { lifecycleOf } from '../../../../test/learnings-lifecycle.ts';

const test$ = await startLearnings();
const second = await test$.secondNode();
const { after, reportPullRequest, stateOf } = lifecycleOf(test$);
const { sql } = test$.database;
const outcomes = ['merged', 'closed'] as const;
type Outcome = (typeof outcomes)[number];
let number = 0;

function captured(learning: string, pullRequest: number, repositoryId = '501') {
  const pull_request = { number: pullRequest, state: 'open' };
  const data = { repository_id: repositoryId, learning, author_id: '9002', origin: 'chat', pull_request };
  return event('postil.learning_captured', data, after(1));
}

function ended(pullRequest: number, state: Outcome, repositoryId = '501') {
  const url = `https://github.test/acme/${repositoryId}/pull/${pullRequest}`;
  const data = { repository_id: repositoryId, number: pullRequest, url, state };
  const merged_at = state === 'merged' ? after(2).toISOString() : null;
  return event('postil.pull_request', { ...data, created_at: after(0).toISOString(), merged_at }, after(2));
}

async function sendAtOnce(batches: readonly (readonly unknown[])[]): Promise<void> {
  const answers = await Promise.all(
    batches.map((batch, index) => test$.events(batch, index % 2 ? second : test$)),
  );
  for (const { json, text } of answers) assert.equal(json.failed, 0, text);
}

const visibilityAfter = { merged: 'shared', closed: undefined };

for (const outcome of outcomes) {
  for (const isKnown of [true, false]) {
    const title = isKnown ? 'known as open' : 'not known yet';
    test(`a capture at the moment its pull request, ${title}, is ${outcome} on another node ends as if it came after`, async () => {
      for (let repetition = 0; repetition < 25; repetition += 1) {
        number += 1;
        if (isKnown) await reportPullRequest(number, 'open', after(0));
        const text = `At the moment ${number}`;
        await sendAtOnce([[captured(text, number)], [ended(number, outcome)]]);
        assert.equal((await stateOf(text))?.visibility, visibilityAfter[outcome], text);
      }
    });
  }
}

test('batches of captures and ends over many repositories, in opposite orders, all succeed and leave none private', async () => {
  const repositories = Array.from({ length: 12 }, (_, index) => String(600 + index));
  await test$.platform({
    organizations: [
      {
        provider: 'github',
        provider_organization_id: '1001',
        repositories: repositories.map((id) => ({ provider_repository_id: id, name: `many-${id}` })),
      },
    ],
  });
  for (let round = 0; round < 6; round += 1) {
    number += 1;
    const captures = repositories.map((id) => captured(`Many ${round} ${id}`, number, id));
    const ends = repositories.map((id, index) => ended(number, outcomes[index % 2]!, id));
    const others = repositories.map((id) => ended(10_000 + number, 'merged', id));
    await sendAtOnce([
      [...captures, ...others],
      [...ends.toReversed(), ...others.toReversed().map((each) => ({ ...each, id: `${each.id}/again` }))],
      ends.map((each) => ({ ...each, id: `${each.id}/twice` })),
      [...captures.toReversed().map((each) => ({ ...each, id: `${each.id}/again` })), ...ends.slice(0, 6)],
    ]);
  }
  const rows = await sql`SELECT visibility, learning FROM learnings WHERE learning LIKE 'Many %'`;
  assert.equal(rows.filter(({ visibility }) => visibility === 'private').length, 0);
  assert.equal(rows.length, 36, 'those of the merged ones');
});

test('the lifecycle schedule shares or drops private Learnings whose pull request has ended, and no others', async () => {
  const texts = new Map([
    ['Missed merge', 'merged'],
    ['Missed close', 'closed'],
    ['Still open', 'open'],
    ['Captured after it', 'closed'],
  ]);
  for (const [text, state] of texts) {
    number += 1;
    await reportPullRequest(number, 'open', after(0));
    await test$.capture(text, { pull_request: { number, state: 'open' } }, after(1));
    const time = text === 'Captured after it' ? after(0.5) : after(2);
    await sql`UPDATE pull_requests SET state = ${state}, event_time = ${time} WHERE number = ${number}`;
  }
  await test$.runSchedule('learnings-lifecycle');
  const states = await Promise.all([...texts.keys()].map(async (text) => (await stateOf(text))?.visibility));
  assert.deepEqual(states, ['shared', undefined, 'private', 'private']);
});
