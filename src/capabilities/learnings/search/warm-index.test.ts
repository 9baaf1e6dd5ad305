import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLearnings } from '../../../../test/learnings-fixture.ts';
import { createDeterministicEmbedder } from '../embedding/deterministic-embedder.ts';
import { IndexCache } from './index-cache.ts';
import { warmIndexSchedule } from './warm-index.ts';

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
  const indexCache = new IndexCache({ database, embedder });
  await warmIndexSchedule(database, indexCache, 3).run(signal);
  assert.deepEqual(read, [(await test$.repository('501')).repositoryId]);
  await warmIndexSchedule(database, indexCache, 3).run(signal);
  assert.equal(read.length, 1, 'what is loaded is not loaded again');
});

test('a repository that would evict others is left to the search that needs it', async () => {
  const { database, read } = watched();
  const indexCache = new IndexCache({ database, embedder }, 5_000);
  await warmIndexSchedule(database, indexCache, 1).run(signal);
  const small = await test$.repository('502');
  assert.deepEqual(read, [small.repositoryId], 'not the one of three Learnings');
});
