import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLearnings } from '../../../../test/learnings-fixture.ts';
import type { Database } from '../../../db/database.ts';
import { createDeterministicEmbedder } from '../embedding/deterministic-embedder.ts';
import { IndexCache } from './index-cache.ts';
import type { RepositoryIndex } from './repository-index.ts';

const embedder = createDeterministicEmbedder();
const test$ = await startLearnings({ embedder });

/** The ids in an index, in their order. */
function idsIn(index: RepositoryIndex): string[] {
  const query = { text: '', embedding: undefined };
  return index
    .compare(query, () => true)
    .facts.map(({ id }) => id)
    .sort();
}

async function createdIn(repository: string, ...learnings: string[]): Promise<string[]> {
  const { json } = await test$.post(learnings.map((learning) => ({ learning, repository_id: repository })));
  return json.results.map(({ id }: { id: string }) => id).sort();
}

test('what a failed load has not read is read by the next search', async () => {
  const ids = await createdIn('501', 'one', 'two', 'three');
  let isFailing = true;
  const database: Database = {
    ...test$.database,
    readRows: (statement, parameters, onRow) => {
      let rows = 0;
      return test$.database.readRows(statement, parameters, (row) => {
        rows += 1;
        if (isFailing && rows === 2) throw new Error('lost');
        onRow(row);
      });
    },
  };
  const indexCache = new IndexCache({ database, embedder });
  const key = await test$.repository('501');
  await assert.rejects(indexCache.use(key, idsIn), /lost/);
  isFailing = false;
  assert.deepEqual(await indexCache.use(key, idsIn), ids);
});

test('an index is not evicted while a search uses it', async () => {
  const [used, other] = [await test$.repository('501'), await test$.repository('502')];
  await createdIn('501', 'four');
  await createdIn('502', 'five');
  const indexCache = new IndexCache({ database: test$.database, embedder }, 1);
  await indexCache.use(used, async (index) => {
    await indexCache.use(other, () => {});
    assert.equal(index.hasNoVectors, false);
  });
});

test('what is written while a repository is loaded is found by the next search', async () => {
  await createdIn('502', 'walrus');
  const before = await new IndexCache({ database: test$.database, embedder }).use(
    await test$.repository('502'),
    idsIn,
  );
  let written: string[] = [];
  const database: Database = {
    ...test$.database,
    readRows: async (statement, parameters, onRow) => {
      await test$.database.readRows(statement, parameters, onRow);
      if (written.length === 0) written = await createdIn('502', 'penguin', 'zebra');
    },
  };
  const indexCache = new IndexCache({ database, embedder });
  const key = await test$.repository('502');
  await indexCache.use(key, () => {});
  assert.deepEqual(await indexCache.use(key, idsIn), [...before, ...written].sort());
});
