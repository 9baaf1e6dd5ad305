import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLearnings } from '../../../../test/learnings-fixture.ts';
import fc from '../../../../test/properties.ts';

const test$ = await startLearnings();
const second = await test$.secondNode();

interface Result {
  index: number;
  status: string;
  id: string;
}

test('identical batches sent at the same time to two nodes create each record once and agree on the ids', async () => {
  const texts = Array.from({ length: 20 }, (_, index) => `Shared rule ${index}`);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      test$.post(index % 2 ? texts : texts.toReversed(), index % 3 ? second : test$),
    ),
  );
  const results = answers.flatMap(({ json }) => json.results as Result[]);
  assert.equal(results.filter(({ status }) => status === 'created').length, 20);
  assert.equal(results.filter(({ status }) => status === 'duplicate').length, 140);
  assert.equal(new Set(results.map(({ id }) => id)).size, 20);
  const [counted] = await test$.database.sql`SELECT count(*) AS records FROM learnings`;
  assert.equal(counted!.records, 20);
});

test('whatever runs concurrently, a repository never has two records with one text, and every response is valid', async () => {
  const texts = ['alpha', 'beta', 'gamma'];
  const step = fc.oneof(
    fc.record({ kind: fc.constant('post' as const), texts: fc.subarray(texts, { minLength: 1 }) }),
    fc.record({
      kind: fc.constant('patch' as const),
      from: fc.constantFrom(...texts),
      to: fc.constantFrom(...texts),
    }),
    fc.record({ kind: fc.constant('delete' as const), text: fc.constantFrom(...texts) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      const before = new Map((await test$.list('repository_ids=502')).map((row) => [row.learning, row.id]));
      const idOf = (text: string) => before.get(text) ?? '00000000-0000-5000-8000-000000000001';
      const answers = await Promise.all(
        steps.map((each, index) => {
          const on = index % 2 ? second : test$;
          if (each.kind === 'post') {
            return test$.post(
              each.texts.map((learning) => ({ learning, repository_id: '502' })),
              on,
            );
          }
          return each.kind === 'patch'
            ? test$.patch(idOf(each.from), each.to)
            : test$.remove(idOf(each.text));
        }),
      );
      for (const [index, { status, json }] of answers.entries()) {
        if (steps[index]!.kind === 'post') assert.equal(json.failed_count, 0);
        else assert.ok([200, 204, 404, 409].includes(status), `${steps[index]!.kind}: ${status}`);
      }
      const after = (await test$.list('repository_ids=502')).map((row) => row.learning);
      assert.equal(new Set(after).size, after.length);
    }),
    { numRuns: 25 },
  );
  assert.deepEqual(
    test$.logLines.filter((line) => line.includes('"level":50')),
    [],
  );
});

test('a use reported while its Learning is being written is counted once the lifecycle schedule has run', async () => {
  const id = await test$.create('Counted after all');
  // The state that remains if neither transaction saw the other.
  await test$.database.sql`
    INSERT INTO learning_uses_waiting SELECT organization_id, id, 3, ${test$.now} FROM learnings WHERE id = ${id}`;
  await test$.runSchedule('learnings-lifecycle');
  const [row] = await test$.list('search=counted%20after');
  assert.deepEqual([row.usage_count, row.last_used_at], [3, test$.now.toISOString()]);
  await test$.runSchedule('learnings-lifecycle');
  assert.equal((await test$.list('search=counted%20after'))[0].usage_count, 3);
});
