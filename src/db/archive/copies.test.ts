import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { removeFolder } from '../../../test/remove-folder.ts';
import { findCopies, pruneArchive } from './copies.ts';

const archive = await mkdtemp(path.join(tmpdir(), 'postil-copies-'));
after(() => removeFolder(archive));

async function addCopy(at: string, segment: string, to = archive): Promise<void> {
  const folder = path.join(to, 'copies', at.replaceAll(':', '-'));
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, 'backup_label'),
    `START WAL LOCATION: 0/5000028 (file ${segment})\nCHECKPOINT LOCATION: 0/5000060\n`,
  );
}

test('pruning keeps what is needed to restore any later moment, and deletes log that only earlier moments need', async () => {
  await addCopy('2026-06-01T03:00:00.000Z', '000000010000000000000005');
  await addCopy('2026-06-02T03:00:00.000Z', '0000000100000000000000FE');
  await addCopy('2026-06-03T03:00:00.000Z', '000000020000000100000003');
  await mkdir(path.join(archive, 'copies', '2026-06-04T03-00-00.000Z.new'));
  const wal = path.join(archive, 'wal');
  await mkdir(wal);
  const segments = ['000000010000000000000005', '0000000100000000000000FD', '0000000100000000000000FE'];
  const later = ['000000010000000100000000', '000000020000000100000003'];
  for (const name of [...segments, ...later]) await writeFile(path.join(wal, `${name}.gz`), '');
  await writeFile(path.join(wal, '00000002.history.gz'), '');

  await pruneArchive(archive, new Date('2026-05-30T00:00:00Z'));
  assert.equal((await findCopies(archive)).length, 3);
  assert.equal((await readdir(wal)).length, 6);

  await pruneArchive(archive, new Date('2026-06-03T02:00:00Z'));
  assert.deepEqual(
    (await findCopies(archive)).map(({ at }) => at.toISOString()),
    ['2026-06-02T03:00:00.000Z', '2026-06-03T03:00:00.000Z'],
    'moments between the two are restored from the first',
  );
  assert.deepEqual((await readdir(wal)).sort(), [
    '0000000100000000000000FE.gz',
    '000000010000000100000000.gz',
    '00000002.history.gz',
    '000000020000000100000003.gz',
  ]);
});

test('pruning keeps the log of a restored database, whose log continues at an earlier position than the kept copies of the original', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-copies-'));
  after(() => removeFolder(folder));
  await addCopy('2026-06-01T03:00:00.000Z', '000000010000000000000080', folder);
  await addCopy('2026-06-02T03:00:00.000Z', '000000010000000000000090', folder);
  await addCopy('2026-06-02T09:00:00.000Z', '000000020000000000000042', folder);
  const wal = path.join(folder, 'wal');
  await mkdir(wal);
  const needed = ['000000010000000000000090', '000000020000000000000042', '000000020000000000000043'];
  for (const name of ['000000010000000000000041', ...needed])
    await writeFile(path.join(wal, `${name}.gz`), '');
  await pruneArchive(folder, new Date('2026-06-02T04:00:00Z'));
  assert.deepEqual(
    (await readdir(wal)).sort(),
    needed.map((name) => `${name}.gz`),
  );
});
