import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findCopies } from '../src/db/archive/copies.ts';
import { findRunningPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { runCommand } from './command-line.ts';
import { query } from './embedded-folder.ts';
import { createPostilProcess, type PostilProcess } from './postil-process.ts';
import { removeFolder } from './remove-folder.ts';
import { member, organization, sampleKeys } from './sample-platform.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

const newFolder = (name: string) => mkdtemp(path.join(tmpdir(), `postil-${name}-`));
const [archive, original, restored] = await Promise.all(['archive', 'original', 'restored'].map(newFolder));
const receiver = await startWebhookReceiver();
const settings = { POSTIL_ARCHIVE_DIR: archive!, POSTIL_WEBHOOK_ALLOW: '127.0.0.1' };
const before = await createPostilProcess({ ...settings, POSTIL_DATA_DIR: original! });
const later = await createPostilProcess({ ...settings, POSTIL_DATA_DIR: restored! });
after(async () => {
  await before.remove();
  await later.remove();
  await receiver.close();
  await removeFolder(archive!);
});

const identity = { provider: 'github', provider_organization_id: '1001' };
let key = '';

async function rename(postil: PostilProcess, userId: string, fields: object): Promise<void> {
  const document = { organizations: [{ ...identity, members: [member(userId, { ...fields })] }] };
  const answer = await postil.call('PUT', '/operator/v1/platform', document);
  assert.equal(answer.status, 200, JSON.stringify(answer.json));
}
const users = async (postil: PostilProcess) => {
  const { json } = await postil.call('GET', '/v1/users?limit=100', undefined, key);
  return new Map<string, { username: string; seat_assigned: boolean }>(
    json.users.map((user: { user_id: string }) => [user.user_id, user]),
  );
};
const arrived = () => receiver.calls.map(({ event }) => event.data.username);

/** Makes PostgreSQL archive its log so far. */
async function archiveLog(folder: string): Promise<void> {
  const running = (await findRunningPostgres(folder))!;
  const [row] = await query<{ segment: string }>(
    running.target,
    'select pg_walfile_name(pg_switch_wal()) as segment',
  );
  running.release();
  while (!(await readdir(path.join(archive!, 'wal'))).includes(`${row!.segment}.gz`)) await sleep(50);
}

async function copyTaken(count: number): Promise<void> {
  while ((await findCopies(archive!)).length < count) await sleep(50);
}

test('a restored database has everything before the moment and nothing after it; sent deliveries are not repeated', async () => {
  await before.start();
  const members = [
    member('9001', { role: 'cr_admin' }),
    member('9101'),
    member('9102', { seat: true }),
    member('9103'),
  ];
  const platform = { organizations: [organization({ ...identity, members })] };
  const applied = await before.call('PUT', '/operator/v1/platform', platform);
  assert.equal(applied.status, 200, JSON.stringify(applied.json));
  const created = await before.call('POST', '/operator/v1/keys', {
    name: 'test',
    ...sampleKeys.organization,
  });
  key = created.json.value;
  const hook = { url: receiver.url, types: ['postil.member.changed'] };
  const webhook = await before.call('POST', '/v1/webhooks', hook, key);
  assert.equal(webhook.status, 201, JSON.stringify(webhook.json));
  await copyTaken(1);

  await rename(before, '9101', { username: 'first' });
  await receiver.received(1);
  // The second delivery is in progress at the moment that will be restored, and ends after it.
  const { promise: held, resolve: hold } = Promise.withResolvers<() => void>();
  receiver.react = () => (response) => hold(() => void response.writeHead(204).end());
  await rename(before, '9101', { username: 'second' });
  const answer = await held;
  const moment = new Date();
  await sleep(10);

  receiver.react = () => 204;
  answer();
  await rename(before, '9101', { username: 'third' });
  await rename(before, '9103', { username: 'third-too', seat: true });
  while (!(arrived().includes('third') && arrived().includes('third-too'))) await sleep(50);
  await archiveLog(original!);
  await before.kill();

  const restore = (until: string, folder = restored!) =>
    runCommand(['restore', '--until', until], {
      POSTIL_ARCHIVE_DIR: archive!,
      POSTIL_DATA_DIR: folder,
    });
  const tooEarly = await restore('2020-01-01T00:00:00Z');
  assert.match(tooEarly.err, /The first moment that can be restored from .* is 20/);
  const tooLate = await restore('2100-01-01T00:00:00Z');
  assert.match(tooLate.err, /ends before that moment; --until latest/);
  const last = path.join(archive!, 'wal', (await readdir(path.join(archive!, 'wal'))).sort().at(-1)!);
  const sound = await readFile(last);
  await writeFile(last, sound.subarray(0, sound.length / 2));
  const damaged = await restore('latest');
  assert.match(damaged.err, /could not restore file/, 'what is damaged is not the end of the log');
  await writeFile(last, sound);
  const done = await restore(moment.toISOString());
  assert.equal(done.code, 0, done.err);
  assert.match(done.out, /may have been sent already: 1 webhook deliveries, 0 digests/);
  const again = await restore(moment.toISOString());
  assert.match(again.err, /has a database already/);

  for (const name of ['operator-token', 'secret-key'])
    await copyFile(path.join(original!, name), path.join(restored!, name));
  // The archive still belongs to the former server.
  await rm(path.join(archive!, 'owner'), { recursive: true });
  await later.start();
  const now = await users(later);
  assert.equal(now.get('9101')!.username, 'second');
  assert.equal(now.get('9103')!.username, 'user-9103');
  assert.deepEqual([now.get('9102')!.seat_assigned, now.get('9103')!.seat_assigned], [true, false]);
  const verified = await runCommand(['audit', 'verify'], { POSTIL_DATA_DIR: restored! });
  assert.equal(verified.code, 0, verified.out + verified.err);

  // New events are delivered; old ones only if they are replayed.
  await rename(later, '9101', { username: 'fourth' });
  while (!arrived().includes('fourth')) await sleep(50);
  assert.deepEqual(
    arrived().filter((name) => name !== 'third-too'),
    ['first', 'second', 'third', 'fourth'],
  );
  const deliveries = `/v1/webhooks/${webhook.json.id}/deliveries`;
  const { json } = await later.call('GET', deliveries, undefined, key);
  const second = json.data.find(({ error }: { error: string | null }) => error !== null);
  assert.deepEqual([second.status, /^held back: /.test(second.error)], ['failed', true]);
  assert.equal((await later.call('POST', `${deliveries}/${second.id}/replay`, {}, key)).status, 202);
  while (arrived().filter((name) => name === 'second').length < 2) await sleep(50);
  assert.equal(
    new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size,
    5,
    'under its own id',
  );

  // A new timeline needs its own base backup.
  await copyTaken(2);
  const checked = await runCommand(['doctor'], { ...settings, POSTIL_DATA_DIR: restored! });
  assert.match(checked.out, /ok {4}Archive: every moment since 20.* can be restored/);
});
