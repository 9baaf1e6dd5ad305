import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { sampleKeys, samplePlatform } from '../../../test/sample-platform.ts';
import { serverLearnings } from './server-learnings.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const key = await server.createKey(sampleKeys.user);
const url = await server.app.server.listen({ host: '127.0.0.1', port: 0 });
const query = { text: 'timeouts of requests must be set', limit: 10 };

test('only the Learnings of the repository that apply to the files are found', async () => {
  const data = [
    { repository_id: '501', learning: 'Set timeouts of requests everywhere' },
    { repository_id: '501', learning: 'Timeouts of requests here are ten seconds', file: 'src/http' },
    {
      repository_id: '501',
      learning: 'Timeouts of requests in scripts are unlimited',
      file: 'scripts/deploy.ts',
    },
    { repository_id: '502', learning: 'Timeouts of requests of another repository' },
  ];
  const created = await server.call('POST', '/v1/learnings', { key, body: { data } });
  assert.equal(created.json.created_count, 4, created.text);
  const learnings = serverLearnings({ url, key, repositoryId: '501' });
  const found = await learnings.find({ ...query, paths: ['src/http/call.ts'] });
  assert.deepEqual(found.map(({ text }) => text).toSorted(), [
    'Set timeouts of requests everywhere',
    'Timeouts of requests here are ten seconds',
  ]);
  assert.equal(found.find(({ text }) => text.startsWith('Set'))!.id, created.json.results[0].id);
});

test('a rejected key makes the search fail, so that the review can report it', async () => {
  const learnings = serverLearnings({ url, key: 'pst_u_wrong', repositoryId: '501' });
  await assert.rejects(learnings.find({ ...query, paths: [] }), /answered 401/);
});
