import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEmbeddings } from './embedding-health.ts';

const clientWith = (text: string) => ({ readText: async () => text });

test('the doctor tells a failing embedding model from one that works or was not asked yet', async () => {
  const waiting = '# TYPE postil_learnings_waiting_for_index gauge\npostil_learnings_waiting_for_index 3';
  assert.match(await describeEmbeddings(clientWith(waiting)), /^not used yet, 3 Learnings wait/);
  const works = `${waiting}\npostil_embedding_failing{kind="document"} 0`;
  assert.match(await describeEmbeddings(clientWith(works)), /^work, /);
  const fails = `${works}\npostil_embedding_failing{kind="query"} 1`;
  await assert.rejects(describeEmbeddings(clientWith(fails)), /fails, and 3 Learnings wait to be indexed/);
});
