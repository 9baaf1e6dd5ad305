import assert from 'node:assert/strict';
import { chmod, cp, lstat, mkdtemp, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { removeFolder } from '../../../test/remove-folder.ts';
import { chooseAccount } from './postgres-account.ts';
import { findPostgresPackage, type PostgresPackage, preparePostgresBinaries } from './postgres-binaries.ts';

describe('the PostgreSQL programs', () => {
  const isRoot = process.getuid?.() === 0;
  const root = { uid: 0, gid: 0 };
  let home: string;
  let hidden: PostgresPackage;

  /** A package whose install script did not run, in a folder that other users cannot enter. */
  before(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'postil-binaries-'));
    const real = await findPostgresPackage();
    hidden = { ...real, folder: path.join(home, 'hidden', 'package') };
    await cp(real.folder, hidden.folder, {
      recursive: true,
      filter: async (file) => !(await lstat(file)).isSymbolicLink(),
    });
    await chmod(path.join(home, 'hidden'), 0o700);
    await chmod(home, 0o755);
  });
  after(() => removeFolder(home));

  test('run in place, with the links that the install script would have created', async () => {
    const binaries = await preparePostgresBinaries({}, [], hidden);
    assert.ok(binaries.postgres.startsWith(hidden.folder));
    assert.ok(binaries.majorVersion >= 18);
  });

  test('are copied once for a user who has no access to them, not writable by others', {
    skip: !isRoot,
  }, async () => {
    const account = await chooseAccount(root, false);
    const copies = path.join(home, 'copies');
    const prepared = await Promise.all(
      [1, 2, 3].map(() => preparePostgresBinaries(account, [copies], hidden)),
    );
    assert.equal(new Set(prepared.map(({ postgres }) => postgres)).size, 1);
    assert.ok(prepared[0]?.postgres.startsWith(copies));
    assert.deepEqual(await readdir(copies), [`postgresql-${hidden.version}`]);
    const { uid, mode } = await stat(prepared[0]?.postgres ?? '');
    assert.deepEqual([uid, mode & 0o777], [0, 0o755]);
  });

  test('are not used from a folder that another user could have written to', { skip: !isRoot }, async () => {
    const account = await chooseAccount(root, false);
    const open = await mkdtemp(path.join(home, 'open-'));
    await chmod(open, 0o777);
    await assert.rejects(
      preparePostgresBinaries(account, [open], hidden),
      /not a folder that only we can write to/,
    );
  });

  test('that cannot run here are rejected with one sentence', async () => {
    const missing = { folder: path.join(home, 'nothing'), version: '0' };
    await assert.rejects(preparePostgresBinaries({}, [], missing), {
      name: 'EmbeddedPostgresError',
      message: /cannot run here .*; set DATABASE_URL\.$/,
    });
  });
});
