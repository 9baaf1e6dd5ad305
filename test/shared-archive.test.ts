import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findCopies } from '../src/db/archive/copies.ts';
import { findRunningPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { childEnvironment } from './child-environment.ts';
import { runCommand } from './command-line.ts';
import { query } from './embedded-folder.ts';
import { createPostilProcess, type PostilProcess } from './postil-process.ts';
import { removeFolder } from './remove-folder.ts';
import { member, organization, sampleKeys } from './sample-platform.ts';

const main = path.join(import.meta.dirname, '../src/main.ts');
const newFolder = (name: string) => mkdtemp(path.join(tmpdir(), `postil-${name}-`));
const [archive, other, original, beside, later] = (await Promise.all(
  ['archive', 'other-archive', 'original', 'beside', 'later'].map(newFolder),
)) as [string, string, string, string, string];
const server = await createPostilProcess({ POSTIL_DATA_DIR: original, POSTIL_ARCHIVE_DIR: archive });
const copy = await createPostilProcess({ POSTIL_DATA_DIR: beside, POSTIL_ARCHIVE_DIR: other });
const restored = await createPostilProcess({ POSTIL_DATA_DIR: later });
after(async () => {
  for (const postil of [server, copy, restored]) await postil.remove();
  for (const folder of [archive, other]) await removeFolder(folder);
});

const identity = { provider: 'github', provider_organization_id: '1001' };

async function rename9101(postil: PostilProcess, username: string): Promise<void> {
  const document = { organizations: [{ ...identity, members: [member('9101', { username })] }] };
  const answer = await postil.call('PUT', '/operator/v1/platform', document);
  assert.equal(answer.status, 200, JSON.stringify(answer.json));
}

/** Makes PostgreSQL archive its log so far. */
async function archiveLog(folder: string, to: string): Promise<void> {
  const running = (await findRunningPostgres(folder))!;
  const [row] = await query<{ segment: string }>(
    running.target,
    'select pg_walfile_name(pg_switch_wal()) as segment',
  );
  running.release();
  while (!(await readdir(path.join(to, 'wal'))).includes(`${row!.segment}.gz`)) await sleep(50);
}

async function restoreLatest(folder: string): Promise<string> {
  const environment = { POSTIL_ARCHIVE_DIR: archive, POSTIL_DATA_DIR: folder };
  const { code, out, err } = await runCommand(['restore', '--until', 'latest'], environment);
  assert.equal(code, 0, err);
  const lastChange = /is as it was at (\S+), its last change in the archive/.exec(out)?.[1];
  assert.ok(Date.now() - Date.parse(lastChange!) < 3_600_000, out);
  for (const name of ['operator-token', 'secret-key'])
    await copyFile(path.join(original, name), path.join(folder, name));
  return out;
}

/** The server's metric `postil_archive_failing`: 0 or 1; undefined if it is missing. */
async function isFailing(postil: PostilProcess): Promise<string | undefined> {
  const token = (await readFile(path.join(original, 'operator-token'), 'utf8')).trim();
  const metrics = await fetch(`${postil.url()}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  return /^postil_archive_failing (\d)$/m.exec(await metrics.text())?.[1];
}
const doctor = () => runCommand(['doctor'], { POSTIL_DATA_DIR: original, POSTIL_ARCHIVE_DIR: archive });

test('a restored database next to its original gets no access to the archive of the original, which can still be restored', async () => {
  await server.start();
  const members = [member('9001', { role: 'cr_admin' }), member('9101')];
  const platform = { organizations: [organization({ ...identity, members })] };
  const applied = await server.call('PUT', '/operator/v1/platform', platform);
  assert.equal(applied.status, 200, JSON.stringify(applied.json));
  const created = await server.call('POST', '/operator/v1/keys', {
    name: 'test',
    ...sampleKeys.organization,
  });
  while ((await findCopies(archive)).length < 1) await sleep(50);
  await rename9101(server, 'before');
  await archiveLog(original, archive);

  assert.match(
    await restoreLatest(beside),
    /set POSTIL_ARCHIVE_DIR to another folder\. .*you can delete .*owner instead/,
  );
  const start = promisify(execFile)(process.execPath, [main], {
    env: {
      ...childEnvironment,
      POSTIL_PORT: '0',
      POSTIL_DATA_DIR: beside,
      POSTIL_ARCHIVE_DIR: archive,
      POSTIL_LOG_LEVEL: 'silent',
    },
  });
  await assert.rejects(start, ({ code, stderr }: { code: number; stderr: string }) => {
    assert.match(
      stderr,
      /^The archive .* belongs to another database \(that of .*original.*; if this database was restored/,
    );
    return code === 1;
  });
  await copy.start();
  await rename9101(copy, 'beside');
  await archiveLog(beside, other);

  // The log of the restored copy would start with the next timeline.
  const foreign = (await readdir(path.join(archive, 'wal'))).filter((name) => name.startsWith('00000002'));
  assert.deepEqual(foreign, []);
  assert.equal(await isFailing(server), '0');
  await rename(path.join(archive, 'owner'), path.join(archive, 'owner-away'));
  assert.equal(await isFailing(server), '1');
  assert.match((await doctor()).out, /^FAIL {2}Archive: The archive .* belongs to no database/m);
  await rename(path.join(archive, 'owner-away'), path.join(archive, 'owner'));
  assert.match((await doctor()).out, /^ok {4}Archive: every moment since/m);
  await rename9101(server, 'after');
  await archiveLog(original, archive);
  await server.kill();

  await restoreLatest(later);
  await restored.start();
  const { json } = await restored.call('GET', '/v1/users?limit=100', undefined, created.json.value);
  const names = json.users.map(({ username }: { username: string }) => username);
  assert.ok(names.includes('after'), names.join());
});
