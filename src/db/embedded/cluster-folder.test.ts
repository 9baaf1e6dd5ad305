import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedFolders } from '../../../test/embedded-folder.ts';
import { prepareCluster, spawnOn } from './cluster-folder.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

const onLinux = { skip: process.platform !== 'linux' && 'needs Linux' };

describe('a data folder that cannot be used is rejected with one sentence:', () => {
  const folders = new EmbeddedFolders();
  before(() => folders.open());
  after(() => folders.close());

  const assertRejected = (directory: string, sentence: RegExp) =>
    assert.rejects(startEmbeddedPostgres({ directory, durable: false }), (error: Error) => {
      assert.equal(error.name, 'DataFolderError');
      assert.match(error.message, sentence);
      assert.ok(error.message.includes(directory) && !error.message.includes('\n'), error.message);
      return true;
    });

  const assertDamageRefused = async (damage: (folder: string) => Promise<unknown>, sentence: RegExp) => {
    const directory = await folders.existing();
    await damage(path.join(directory, 'postgres'));
    await assertRejected(directory, sentence);
  };

  test('one of a newer PostgreSQL', () =>
    assertDamageRefused((folder) => writeFile(`${folder}/PG_VERSION`, '99\n'), /created by PostgreSQL 99/));

  test('one without its version', () =>
    assertDamageRefused((folder) => rm(`${folder}/PG_VERSION`), /damaged: .* no PG_VERSION/));

  test('one with a broken control file', () =>
    assertDamageRefused(
      (folder) => writeFile(`${folder}/global/pg_control`, Buffer.alloc(8192, 7)),
      /cannot start on .*: \S/,
    ));

  test('one without its write-ahead log', () =>
    assertDamageRefused((folder) => rm(`${folder}/pg_wal`, { recursive: true }), /cannot start on .*pg_wal/));

  test('one with something else where the database should be', async () => {
    const directory = await folders.absent();
    await mkdir(path.join(directory, 'postgres'), { recursive: true });
    await writeFile(path.join(directory, 'postgres', 'letter.txt'), 'mine');
    await assertRejected(directory, /damaged/);
  });

  test('a file at its path, or at the path of a parent folder', async () => {
    const directory = await folders.absent();
    await writeFile(directory, '');
    await assertRejected(directory, /cannot be used: there is a file at that path\.$/);
    await assertRejected(path.join(directory, 'below'), /cannot be used: part of its path is a file\.$/);
    await assertRejected('/dev/full', /cannot be used: there is a file at that path\.$/);
  });

  test('a location where nothing can be created', onLinux, async () => {
    await assertRejected('/proc', /cannot be used: nothing can be created there\.$/);
    await assertRejected('/proc/postil', /cannot be used: nothing can be created there\.$/);
    await assertRejected('/proc/postil/data', /cannot be used: nothing can be created there\.$/);
  });

  test('a name that is too long, and a link to itself', async () => {
    await assertRejected(path.join(await folders.absent(), 'x'.repeat(300)), /the path is too long\.$/);
    const directory = await folders.absent();
    await symlink(directory, directory);
    await assertRejected(directory, /its path contains a broken symbolic link\.$/);
  });

  test('one on a file system that is read-only', onLinux, async (context) => {
    const directory = await folders.existing();
    const server = path.join(import.meta.dirname, '../../../test/embedded-server.ts');
    const script = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 77; shift; exec "$@"';
    const command = ['-m', 'sh', '-c', script, 'sh', directory, process.execPath, server];
    for (const place of [directory, path.join(directory, 'new')]) {
      const { status, stdout } = spawnSync('unshare', [...command, place], { encoding: 'utf8' });
      if (status !== 1) return context.skip('needs the right to mount');
      assert.equal(
        stdout,
        `DataFolderError: The data folder ${place} cannot be used: the file system is read-only.\n`,
      );
    }
  });
});

test('the exit of a program is observed, however early it happens and however late it is awaited', async () => {
  const folders = new EmbeddedFolders();
  await folders.open();
  try {
    const cluster = await prepareCluster(await folders.existing(), false);
    const failing = await spawnOn(cluster, '/bin/false', [], 'SIGKILL');
    const missing = await spawnOn(cluster, '/bin/there-is-no-such-program', [], 'SIGKILL');
    await sleep(300);
    assert.equal((await failing.ended).exitCode, 1);
    assert.match((await missing.ended).error?.message ?? '', /ENOENT/);
  } finally {
    await folders.close();
  }
});
