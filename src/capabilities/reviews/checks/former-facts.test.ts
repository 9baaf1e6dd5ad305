import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSchedule } from '../../../../test/hosts/connected-host.ts';
import { startReviewingApp } from '../../../../test/hosts/reviewing-app.ts';

const { app, forge, addRepository, deliverAll, settleAll, adaKey } = await startReviewingApp();
const { sql } = app.database;
const key = await adaKey();

test('checks of a pull request whose title an earlier version has not stored do not hide a push from reviews', {
  timeout: 600_000,
}, async () => {
  const git = await addRepository({ '.postil.yaml': 'checks:\n  size: { max_lines: 100 }\n' });
  await git.git('checkout', '--quiet', '-b', 'topic');
  await git.commit({ 'src/a.ts': 'one();\n' });
  const pull = await git.open(forge.ada, 'topic');
  await deliverAll();
  await sql`UPDATE reviewed_pull_requests SET facts = facts - 'title', checks_due_at = ${app.now}`;
  await git.commit({ 'src/a.ts': 'one();\ntwo();\n' });
  await git.push(pull, 'topic');
  // The push is only delivered after the checks were evaluated.
  app.now = new Date(app.now.getTime() + 10 * 60_000);
  await runSchedule(app, 'requeue check-pull-request');
  await settleAll();
  const [due] = await sql`SELECT checks_due_at FROM reviewed_pull_requests`;
  assert.equal(due!.checks_due_at, null);
  await deliverAll();
  const { json } = await app.get(`/v1/reviews?repository_ids=${pull.repository.id}`, key);
  assert.deepEqual(
    json.data.map(({ trigger, status }: Record<string, string>) => [trigger, status]),
    [
      ['push', 'succeeded'],
      ['opened', 'succeeded'],
    ],
  );
});
