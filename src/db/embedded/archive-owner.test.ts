import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedFolders, postmasterPid, query } from '../../../test/embedded-folder.ts';
import { removeFolder } from '../../../test/remove-folder.ts';
import { findCopies, takeCopy } from '../archive/copies.ts';
import { openDatabase } from '../database.ts';
import { assertOwned, ownerFolder, ownNamesFile } from './archive-owner.ts';
import { DataFolderError, type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

const folders = new EmbeddedFolders();
const archives: string[] = [];
const running = new Set<EmbeddedPostgres>();
before(() => folders.open());
after(async () => {
  for (const postgres of running) await postgres.stop();
  await folders.close();
  for (const folder of archives) await removeFolder(folder);
});

async function newArchive(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-owned-'));
  archives.push(folder);
  return folder;
}

async function start(directory: string, archive: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ directory, durable: false, archive: { folder: archive } });
  running.add(postgres);
  return postgres;
}
async function stop(postgres: EmbeddedPostgres): Promise<void> {
  running.delete(postgres);
  await postgres.stop();
}
const startAndStop = async (directory: string, archive: string) => stop(await start(directory, archive));

/** The same files at another path, like those of a disk snapshot or `cp -a`. */
async function copyOf(directory: string): Promise<string> {
  const copy = await folders.absent();
  await promisify(execFile)('cp', ['-a', directory, copy]);
  return copy;
}

const stats = async ({ target }: EmbeddedPostgres) =>
  (
    await query<{ archived: string | null; failed: string | null }>(
      target,
      'select last_archived_wal as archived, last_failed_wal as failed from pg_stat_archiver',
    )
  )[0]!;
const endSegment = async ({ target }: EmbeddedPostgres) =>
  (
    await query<{ segment: string }>(
      target,
      'create table if not exists numbers (number float); insert into numbers select random() from generate_series(1, 1000); select pg_walfile_name(pg_switch_wal()) as segment',
    )
  ).at(-1)! as unknown as { segment: string }[];
const logOf = (directory: string) => readFile(path.join(directory, 'postgres.log'), 'utf8');
const refusal = {
  name: 'DataFolderError',
  message: /belongs to another database \(that of .* on .*, started/,
};
const namesIn = (archive: string) => readdir(ownerFolder(archive));

/** Ends a segment of the log, and waits until it is archived or was refused. */
async function archiveSegment(postgres: EmbeddedPostgres): Promise<'archived' | 'refused'> {
  const [row] = await endSegment(postgres);
  for (;;) {
    const { archived, failed } = await stats(postgres);
    if (archived !== null && archived >= row!.segment) return 'archived';

    if (failed !== null && failed >= row!.segment) return 'refused';
    await sleep(50);
  }
}

test('a database keeps its archive after a stop, a crash and at another path, each time under a new name', async () => {
  const archive = await newArchive();
  const directory = await folders.existing();
  await startAndStop(directory, archive);
  const [first] = await namesIn(archive);
  const crashing = await start(directory, archive);
  assert.equal(await archiveSegment(crashing), 'archived');
  process.kill(await postmasterPid(directory), 'SIGKILL');
  await crashing.exited;
  await stop(crashing);
  await startAndStop(directory, archive);
  const moved = await copyOf(directory);
  await rm(directory, { recursive: true });
  const postgres = await start(moved, archive);
  assert.equal(await archiveSegment(postgres), 'archived');
  const names = await namesIn(archive);
  assert.equal(names.length, 1);
  assert.notEqual(names[0], first);
  await stop(postgres);
});

test('after a crash while the archive was being taken, it still belongs to its owner', async () => {
  const archive = await newArchive();
  const directory = await folders.existing();
  await startAndStop(directory, archive);
  const file = path.join(directory, 'postgres', ownNamesFile);
  const [name] = await namesIn(archive);
  // The states of the file before the archive is renamed, and before the owner removes its former name.
  await writeFile(file, `ffffffff-0000-4000-8000-000000000000\n${name}\n`);
  await startAndStop(directory, archive);
  const [next] = await namesIn(archive);
  await writeFile(file, `${next}\n${name}\n`);
  await startAndStop(directory, archive);
  assert.notEqual((await namesIn(archive))[0], next);
});

test('of a data folder and its copy, the first to start owns the archive, and the other one is refused', async () => {
  const archive = await newArchive();
  const directory = await folders.existing();
  await startAndStop(directory, archive);
  const copy = await copyOf(directory);
  const postgres = await start(directory, archive);
  const beforehand = await readFile(path.join(archive, 'began-at'), 'utf8');
  await assert.rejects(start(copy, archive), refusal);
  assert.equal(await archiveSegment(postgres), 'archived');
  await stop(postgres);
  await assert.rejects(start(copy, archive), refusal);
  assert.equal(await readFile(path.join(archive, 'began-at'), 'utf8'), beforehand, 'nothing is changed');
  // The copy works with an archive of its own, and the original is not affected.
  await startAndStop(copy, await newArchive());
  await startAndStop(directory, archive);
});

test('a running server is refused once a copy of its files owns the archive, and neither overwrites existing segments', async () => {
  const archive = await newArchive();
  const directory = await folders.existing();
  await startAndStop(directory, archive);
  // The clone of a running machine has the same owner name as the original.
  const copy = await copyOf(directory);
  const original = await start(directory, archive);
  for (let count = 1; count <= 3; count++) assert.equal(await archiveSegment(original), 'archived');
  const [name] = await namesIn(archive);
  await writeFile(path.join(copy, 'postgres', ownNamesFile), `${name}\n`);
  const kept = new Map<string, Buffer>();
  for (const file of await readdir(path.join(archive, 'wal')))
    kept.set(file, await readFile(path.join(archive, 'wal', file)));

  const cloned = await start(copy, archive);
  assert.equal(await archiveSegment(original), 'refused');
  assert.match(await logOf(directory), /postil: .* does not belong to this database/);
  await assert.rejects(assertOwned(archive, path.join(directory, 'postgres')), refusal);
  // The clone's log has a different segment with the same name.
  assert.equal(await archiveSegment(cloned), 'refused');
  assert.match(await logOf(copy), /postil: .* has another log named .* needs an archive of its own/);
  // So a copy of the clone's files cannot be restored, although the archive has segments with the names that it needs.
  const stopping = new AbortController();
  const database = openDatabase(cloned.target, { maxConnections: 2 });
  let isOver = false;
  const copying = takeCopy(database, path.join(copy, 'postgres'), archive, stopping.signal)
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  const written = async () =>
    (await readdir(path.join(archive, 'copies'), { recursive: true }).catch(() => [])).some(
      (name) => path.basename(name) === 'backup_label',
    );
  while (!isOver && !(await written())) await sleep(50);
  await Promise.race([copying, sleep(1_000)]);
  stopping.abort();
  await copying;
  await database.close();
  assert.deepEqual(await findCopies(archive), []);
  for (const [file, content] of kept)
    assert.deepEqual(await readFile(path.join(archive, 'wal', file)), content, file);
  await stop(cloned);
  await stop(original);
  await assert.rejects(start(directory, archive), refusal);
});

test('of databases that start at the same moment on a new archive, one owns it', async () => {
  const archive = await newArchive();
  const first = await folders.existing();
  const both = [first, await copyOf(first)];
  const outcomes = await Promise.allSettled(both.map((directory) => start(directory, archive)));
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  const lost = outcomes.findIndex(({ status }) => status === 'rejected');
  assert.ok((outcomes[lost] as PromiseRejectedResult).reason instanceof DataFolderError);
  assert.equal((await namesIn(archive)).length, 1);
  for (const outcome of outcomes) if (outcome.status === 'fulfilled') await stop(outcome.value);
  await startAndStop(both[1 - lost]!, archive);
});

test('two starts on one data folder do not take its archive from each other', async () => {
  const archive = await newArchive();
  const directory = await folders.existing();
  const outcomes = await Promise.allSettled([start(directory, archive), start(directory, archive)]);
  const [postgres, ...others] = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  assert.equal(others.length, 0);
  assert.ok(postgres);
  await assert.rejects(start(directory, archive), /in use by another Postil server/);
  assert.equal(await archiveSegment(postgres), 'archived');
  await stop(postgres);
});

test('an archive whose owner was removed is taken over by a copy, and never by another database', async () => {
  const archive = await newArchive();
  const directory = await folders.existing();
  await startAndStop(directory, archive);
  const copy = await copyOf(directory);
  const stranger = await folders.absent();
  await assert.rejects(start(stranger, archive), /the log of an unrelated database/);
  await rm(ownerFolder(archive), { recursive: true });
  await assert.rejects(start(stranger, archive), /the log of an unrelated database/);
  const beforehand = await readFile(path.join(archive, 'began-at'), 'utf8');
  const heir = await start(copy, archive);
  assert.equal(await archiveSegment(heir), 'archived');
  await stop(heir);
  assert.notEqual(await readFile(path.join(archive, 'began-at'), 'utf8'), beforehand, 'it takes a copy');
  await assert.rejects(start(directory, archive), refusal);
});

test('a copy that is older than its original does not take over an archive with the log of its original', async () => {
  const archive = await newArchive();
  const directory = await folders.existing();
  await startAndStop(directory, archive);
  const copy = await copyOf(directory);
  const original = await start(directory, archive);
  assert.equal(await archiveSegment(original), 'archived');
  await stop(original);
  await rm(ownerFolder(archive), { recursive: true });
  const beforehand = await readdir(archive, { recursive: true });
  await assert.rejects(start(copy, archive), {
    name: 'DataFolderError',
    message:
      /changes that another server made after this database was copied.* set POSTIL_ARCHIVE_DIR to another folder/,
  });
  assert.deepEqual(await readdir(archive, { recursive: true }), beforehand, 'the archive is left alone');
  await startAndStop(copy, await newArchive());
  const again = await start(directory, archive);
  assert.equal(await archiveSegment(again), 'archived');
  await stop(again);
});

test('a server whose archive has no owner reports that until it is restarted', async () => {
  const archive = await newArchive();
  const directory = await folders.existing();
  const postgres = await start(directory, archive);
  await rm(ownerFolder(archive), { recursive: true });
  assert.equal(await archiveSegment(postgres), 'refused');
  await assert.rejects(assertOwned(archive, path.join(directory, 'postgres')), /belongs to no database/);
  await stop(postgres);
  const again = await start(directory, archive);
  assert.equal(await archiveSegment(again), 'archived');
  await stop(again);
});
