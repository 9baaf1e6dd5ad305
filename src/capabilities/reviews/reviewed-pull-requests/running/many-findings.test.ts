import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReviewingApp } from '../../../../../test/hosts/reviewing-app.ts';

const { app, forge, reviews, addRepository, deliverAll, adaKey } = await startReviewingApp();
const key = await adaKey();

/** Files with a hundred findings each. */
function filesIn(folder: string, count: number): Record<string, string> {
  const lines = Array.from(
    { length: 100 },
    (_, at) => `export const isOdd${at} = (value: number) => value === NaN;\n`,
  );
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${folder}/${at}.ts`, lines.join('')]));
}

test('the host shows the status that a run has when it keeps only the worst of all open findings', {
  timeout: 600_000,
}, async () => {
  const git = await addRepository();
  await git.git('checkout', '--quiet', '-b', 'topic');
  await git.commit(filesIn('first', 6));
  const pull = await git.open(forge.ada, 'topic');
  await deliverAll();
  await git.commit(filesIn('second', 5));
  await git.push(pull, 'topic');
  await deliverAll();
  const { json } = await app.get(`/v1/reviews?repository_ids=${pull.repository.id}&limit=1`, key);
  const reason = 'of 1100 findings the worst 1000 were kept';
  assert.deepEqual([json.data[0].status, json.data[0].reason], ['degraded', reason]);
  const { findings } = (await app.get(`/v1/reviews/${json.data[0].id}`, key)).json;
  assert.equal(findings.length, 1000);
  const { state, title } = reviews.pull(pull.repository, pull.number).statuses.at(-1)!;
  assert.equal(state, 'neutral');
  assert.match(title, /^Reviewed in part, 1000 findings.*: of 1100 findings the worst 1000 were kept$/);
});
