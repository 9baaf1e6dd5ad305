import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '../../test/postgres.ts';
import { removeFolder } from '../../test/remove-folder.ts';
import { loadKeyRing, parseKeys } from './key-ring.ts';
import { Vault } from './vault.ts';

const { database, target, drop } = await createTestDatabase();
const dataDirectory = await mkdtemp(path.join(tmpdir(), 'postil-rotation-'));
after(async () => {
  await removeFolder(dataDirectory);
  await drop();
});

const openVault = async () => new Vault(await loadKeyRing({ secretKeys: undefined, dataDirectory }));
const keysInFile = async () =>
  parseKeys(await readFile(path.join(dataDirectory, 'secret-key'), 'utf8'))!.map(({ id }) => id);
const store = (vault: Vault, text: string) => database.transaction((tx) => vault.store(tx, 'test', text));

const rotatingProcess = path.join(import.meta.dirname, '../../test/rotating-process.ts');

/** Starts a rotation in another process, and kills it after this many milliseconds. */
async function rotateAndKill(afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [rotatingProcess, dataDirectory, JSON.stringify(target)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await sleep(afterMs);
  child.kill('SIGKILL');
  await once(child, 'close');
}

test('a rotation that is killed at any point loses no secret, and the next one finishes it', async () => {
  const vault = await openVault();
  const ids = await Promise.all(Array.from({ length: 60 }, (_, index) => store(vault, `value ${index}`)));
  for (const afterMs of [0, 3, 10, 25, 60, 120]) {
    await rotateAndKill(afterMs);
    const restarted = await openVault();
    assert.deepEqual(await restarted.missingKeys(database.sql), []);
    for (const [index, id] of ids.entries())
      assert.equal(await restarted.read(database.sql, id, 'test'), `value ${index}`);
  }
  const { keyId } = await (await openVault()).rotate(database);
  assert.deepEqual(await keysInFile(), [keyId]);
  const finalVault = await openVault();
  for (const [index, id] of ids.entries())
    assert.equal(await finalVault.read(database.sql, id, 'test'), `value ${index}`);
});

test('a secret committed after a rotation has started can be opened with the new key alone', async () => {
  const vault = await openVault();
  let rotation: Promise<unknown> | undefined;
  const id = await database.transaction(async (tx) => {
    const stored = await vault.store(tx, 'test', 'late');
    rotation = vault.rotate(database);
    await sleep(300);
    return stored;
  });
  await rotation;
  assert.equal((await keysInFile()).length, 1);
  assert.equal(await (await openVault()).read(database.sql, id, 'test'), 'late');
});

test('simultaneous rotations are merged into one, and secrets stored meanwhile can be opened afterwards', async () => {
  const vault = await openVault();
  const [previousKeyId] = await keysInFile();
  const [first, second, ...ids] = await Promise.all([
    vault.rotate(database),
    vault.rotate(database),
    ...Array.from({ length: 20 }, (_, index) => store(vault, `stored ${index}`)),
  ]);
  assert.deepEqual(first, second);
  assert.deepEqual(first.retired, [previousKeyId]);
  assert.deepEqual(await keysInFile(), [first.keyId]);
  const restarted = await openVault();
  for (const [index, id] of ids.entries())
    assert.equal(await restarted.read(database.sql, id, 'test'), `stored ${index}`);
});
