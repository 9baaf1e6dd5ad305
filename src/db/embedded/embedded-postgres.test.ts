import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { EmbeddedFolders, postmasterPid, query } from '../../../test/embedded-folder.ts';
import { findRunningPostgres } from './embedded-postgres.ts';

const asRoot = { skip: process.getuid?.() !== 0 && 'needs root' };

describe('embedded PostgreSQL', () => {
  const folders = new EmbeddedFolders();
  before(() => folders.open());
  after(() => folders.close());

  test('the first start creates a database, later starts reuse it', async () => {
    const directory = await folders.absent();
    const first = await folders.start(directory, { durable: true });
    await query(first.target, "create table notes (text text); insert into notes values ('kept')");
    await first.stop();
    assert.equal(await first.exited, undefined);
    const second = await folders.start(directory, { durable: true });
    assert.deepEqual(await query(second.target, 'select text from notes'), [{ text: 'kept' }]);
  });

  test('it is durable, sorts text by code point, uses UTF-8 and listens on no network', async () => {
    const { target } = await folders.start(await folders.existing(), { durable: true });
    const settings = await query<{ name: string; setting: string }>(
      target,
      `select name, setting from pg_settings where name in
        ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'server_encoding') order by name`,
    );
    assert.deepEqual(
      settings.map(({ setting }) => setting),
      ['on', 'on', '', 'UTF8', 'on'],
    );
    const words = await query(target, "select x from unnest(array['ä', 'b', 'B', 'a', '_']) as x order by x");
    assert.deepEqual(
      words,
      ['B', '_', 'a', 'b', 'ä'].map((x) => ({ x })),
    );
    assert.deepEqual(await query(target, "select upper('ä') as upper"), [{ upper: 'Ä' }]);
  });

  test('only the owner of the data folder can reach the socket', async () => {
    const { target } = await folders.start(await folders.existing());
    assert.equal((await stat(target.socketDirectory)).mode & 0o077, 0);
    assert.equal((await stat(path.join(target.socketDirectory, '.s.PGSQL.5432'))).mode & 0o077, 0);
  });

  test('as root it runs as an unprivileged user in a folder that only root can enter', asRoot, async () => {
    const directory = await folders.absent();
    await mkdir(directory, { mode: 0o700 });
    await folders.start(directory);
    const status = await readFile(`/proc/${await postmasterPid(directory)}/status`, 'utf8');
    const ids = (name: string) =>
      new RegExp(`^${name}:[ \t]*(.*?)[ \t]*$`, 'm').exec(status)?.[1]?.split('\t');
    const { uid, gid } = await stat(path.join(directory, 'postgres'));
    assert.notEqual(uid, 0);
    assert.deepEqual(ids('Uid'), Array(4).fill(String(uid)));
    assert.deepEqual(ids('Gid'), Array(4).fill(String(gid)));
    assert.deepEqual(ids('Groups'), ['']);
  });

  test('as root it runs as the owner of the data folder if that is another user', asRoot, async () => {
    const directory = await folders.absent();
    await mkdir(directory);
    execFileSync('chown', ['nobody', directory]);
    await folders.start(directory);
    assert.equal((await stat(path.join(directory, 'postgres'))).uid, (await stat(directory)).uid);
  });

  test('a data folder that root has copied is chowned back to its user', asRoot, async () => {
    const directory = await folders.existing();
    execFileSync('chown', ['-R', '0:0', directory]);
    await chmod(path.join(directory, 'postgres'), 0o755);
    const { target } = await folders.start(directory);
    assert.equal((await query(target, 'select 1')).length, 1);
  });

  test('a data folder may be nested deeper than a socket path can express', async () => {
    const directory = path.join(await folders.absent(), ...Array(6).fill('a-rather-long-folder-name'));
    const postgres = await folders.start(directory);
    assert.ok(postgres.target.socketDirectory.length < 104);
    assert.equal((await query(postgres.target, 'select 1')).length, 1);
    await postgres.stop();
    await assert.rejects(stat(postgres.target.socketDirectory), { code: 'ENOENT' });
  });

  test('leftovers of first starts that were killed are removed by the next start', async () => {
    const directory = await folders.existing();
    const unfinished = path.join(directory, 'postgres.new-0199');
    await mkdir(path.join(unfinished, 'base'), { recursive: true });
    await folders.start(directory);
    await assert.rejects(stat(unfinished), { code: 'ENOENT' });
  });

  test('it has its own process group, so that Ctrl-C reaches us first', async () => {
    const directory = await folders.existing();
    await folders.start(directory);
    const groupOf = (pid: number) =>
      execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)])
        .toString()
        .trim();
    assert.notEqual(groupOf(await postmasterPid(directory)), groupOf(process.pid));
  });

  test('tools find the database of a running server, and none if no server runs', async () => {
    const directory = await folders.existing();
    assert.equal(await findRunningPostgres(directory), undefined);
    await folders.start(directory);
    const found = await findRunningPostgres(directory);
    assert.ok(found);
    assert.equal((await query(found.target, 'select 1')).length, 1);
    found.release();
  });
});
