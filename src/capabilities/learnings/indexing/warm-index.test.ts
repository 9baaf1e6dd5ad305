import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLearnings } from '../../../../test/learnings-fixture.ts';
import { createDeterministicEmbedder } from '../embedding/deterministic-embedder.ts';
import { ReviewIndex } from '../search/review-index.ts';
import { warmIndexJob } from './warm-index.ts';

const embedder = createDeterministicEmbedder();
const test$ = await startLearnings({ embedder });
const signal = new AbortController().signal;

/** The reads of whole rows, by the repository they are about. */
function watched() {
  const read: unknown[] = [];
  const database: typeof test$.database = {
    ...test$.database,
    readRows: (statement, parameters, onRow) => {
      read.push(parameters[1]);
      return test$.database.readRows(statement, parameters, onRow);
    },
  };
  return { database, read };
}

test('large repositories are loaded ahead of the first search, others are not', async () => {
  await test$.post(['one', 'two', 'three', { learning: 'four', repository_id: '502' }]);
  const { database, read } = watched();
  const reviewIndex = new ReviewIndex({ database, embedder });
  await warmIndexJob(database, reviewIndex, 3).run(signal);
  const [large] = await test$.database
    .sql`SELECT id FROM repositories WHERE provider_repository_id = '501' AND
    organization_id = (SELECT id FROM organizations WHERE provider_organization_id = '1001')`;
  assert.deepEqual(read, [large!.id]);
  await warmIndexJob(database, reviewIndex, 3).run(signal);
  assert.equal(read.length, 1, 'what is loaded is not loaded again');
});

test('it stops when memory is full', async () => {
  const { database, read } = watched();
  const reviewIndex = new ReviewIndex({ database, embedder }, 1);
  await warmIndexJob(database, reviewIndex, 1).run(signal);
  assert.equal(read.length, 1);
});
