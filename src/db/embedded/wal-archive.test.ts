import assert from 'node:assert/strict';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { EmbeddedFolders } from '../../../test/embedded-folder.ts';
import { removeFolder } from '../../../test/remove-folder.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { archivedSince } from './wal-archive.ts';

const folders = new EmbeddedFolders();
const archives: string[] = [];
before(() => folders.open());
after(async () => {
  await folders.close();
  for (const folder of archives) await removeFolder(folder);
});

async function newArchive() {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-wal-'));
  archives.push(folder);
  return { folder };
}

test('after every start that did not write to the archive, a new beginning is recorded', async () => {
  const directory = await folders.existing();
  const [one, other] = [await newArchive(), await newArchive()];
  const startAndStop = async (archive?: { folder: string }) =>
    (await startEmbeddedPostgres({ directory, durable: false, archive })).stop();
  const begun = async () => (await archivedSince(one.folder)).getTime();
  await startAndStop(one);
  const first = await begun();
  await startAndStop(one);
  assert.equal(await begun(), first, 'it goes on');
  await startAndStop();
  await startAndStop(one);
  const second = await begun();
  assert.ok(second > first, 'after a start without an archive');
  await startAndStop(other);
  assert.ok((await archivedSince(other.folder)).getTime() > second);
  await startAndStop(one);
  const third = await begun();
  assert.ok(third > second, 'after a start with another one');
  const away = `${one.folder}-away`;
  await rename(one.folder, away);
  await startAndStop(one);
  await rm(one.folder, { recursive: true });
  await rename(away, one.folder);
  await startAndStop(one);
  assert.ok((await begun()) > third, 'after a start while it was not mounted');
});
