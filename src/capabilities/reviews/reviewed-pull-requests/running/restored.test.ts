import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { deliver } from '../../../../../test/hosts/connected-host.ts';
import { startReviewingApp } from '../../../../../test/hosts/reviewing-app.ts';
import { removeFolder } from '../../../../../test/remove-folder.ts';
import { restore } from '../../../../db/backup/restore-backup.ts';
import { backup } from '../../../../db/backup/write-backup.ts';

const unsafe =
  "export function load(value: string): string {\n  try {\n    return value.trim();\n  } finally {\n    return '';\n  }\n}\n";

test('a review that is done again after its database was restored posts nothing twice', {
  timeout: 600_000,
}, async () => {
  const { app, host, forge, reviews, addRepository, settleAll, adaKey } = await startReviewingApp();
  const key = await adaKey();
  const git = await addRepository();
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-restored-'));
  after(() => removeFolder(folder));
  const file = path.join(folder, 'before.backup');
  await backup(app.database, file);

  await git.git('checkout', '--quiet', '-b', 'topic');
  await git.commit({ 'src/load.ts': unsafe });
  const pull = await git.open(forge.ada, 'topic');
  const opened = host.takeDeliveries();
  const bring = async () => {
    for (const delivery of opened) assert.equal((await deliver(app, delivery)).status, 202);
    await settleAll();
  };
  const listRuns = async () =>
    (await app.get(`/v1/reviews?repository_ids=${pull.repository.id}`, key)).json.data;
  const shown = () => {
    const { threads, conversation } = reviews.pull(pull.repository, pull.number);
    return { comments: threads.flatMap(({ comments }) => comments.map(({ url }) => url)), conversation };
  };
  await bring();
  const first = shown();
  assert.deepEqual([first.comments.length, first.conversation.length], [1, 1]);

  await app.database.sql.unsafe('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await restore(app.database, file);
  assert.deepEqual(await listRuns(), [], 'nothing is known of the review');
  await bring();
  const [run] = await listRuns();
  assert.equal(run.status, 'succeeded');
  const { findings } = (await app.get(`/v1/reviews/${run.id}`, key)).json;
  assert.deepEqual(
    findings.map(({ url }: { url: string }) => url),
    first.comments,
    'the comment that stands at the host is known again',
  );
  const second = shown();
  assert.deepEqual([second.comments, second.conversation.length], [first.comments, 1]);
});
