import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEmbeddings } from './embedding-health.ts';

const clientWith = (text: string) => ({ readText: async () => text });

test('doctor distinguishes a failing embedding model from one that works or has not been used', async () => {
  const waiting = '# TYPE postil_learnings_waiting_for_index gauge\npostil_learnings_waiting_for_index 3';
  assert.match(
    await describeEmbeddings(clientWith(waiting)),
    /^not used yet, 3 Learnings waiting to be indexed$/,
  );
  const works = `${waiting}\npostil_embedding_failing{kind="document"} 0`;
  assert.match(await describeEmbeddings(clientWith(works)), /^working, /);
  const fails = `${works}\npostil_embedding_failing{kind="query"} 1`;
  await assert.rejects(
    describeEmbeddings(clientWith(fails)),
    /is failing, 3 Learnings waiting to be indexed/,
  );
});
