import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { removeFolder } from '../../test/remove-folder.ts';
import { loadKeyRing, newKey, parseKeys } from './key-ring.ts';

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-keys-'));
  await work(folder).finally(() => removeFolder(folder));
}

const ids = (keys: readonly { id: string }[] | undefined) => keys?.map(({ id }) => id);

test('a first start creates a key that only its owner can read, and later starts use the same', () =>
  inFolder(async (folder) => {
    const first = await loadKeyRing({ secretKeys: undefined, dataDirectory: folder });
    const again = await loadKeyRing({ secretKeys: undefined, dataDirectory: folder });
    assert.deepEqual(ids(again.keys), ids(first.keys));
    assert.equal((await stat(path.join(folder, 'secret-key'))).mode & 0o777, 0o600);
  }));

test('many simultaneous first starts all use one key', () =>
  inFolder(async (folder) => {
    const rings = await Promise.all(
      Array.from({ length: 20 }, () => loadKeyRing({ secretKeys: undefined, dataDirectory: folder })),
    );
    assert.equal(new Set(rings.map(({ keys }) => keys[0]!.id)).size, 1);
  }));

test('a key file that others could read is made private; one that others could have changed is rejected', () =>
  inFolder(async (folder) => {
    const file = path.join(folder, 'secret-key');
    const load = () => loadKeyRing({ secretKeys: undefined, dataDirectory: folder });
    const { keys } = await load();
    await chmod(file, 0o644);
    assert.deepEqual(ids((await load()).keys), ids(keys));
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await chmod(file, 0o666);
    await assert.rejects(load(), /other users.*chmod 600/);
  }));

test('a damaged key file prevents the start and is left unchanged', () =>
  inFolder(async (folder) => {
    const file = path.join(folder, 'secret-key');
    await writeFile(file, 'not a key\n');
    await assert.rejects(
      loadKeyRing({ secretKeys: undefined, dataDirectory: folder }),
      /does not contain valid 32-byte keys/,
    );
    assert.equal(await readFile(file, 'utf8'), 'not a key\n');
  }));

test('keys are 32 bytes in base64 or hex, and nothing else is accepted', () => {
  const [one, two] = [newKey(), newKey()];
  const text = `${one.bytes.toString('base64')},\n${two.bytes.toString('hex')}`;
  assert.deepEqual(ids(parseKeys(text)), [one.id, two.id]);
  for (const faulty of ['', 'short', one.bytes.subarray(1).toString('base64'), `${one.id},`, 'x'.repeat(64)])
    assert.equal(parseKeys(faulty), undefined, faulty);
});
