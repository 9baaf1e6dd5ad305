import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { createTestDatabase } from '../../test/postgres.ts';
import fc from '../../test/properties.ts';
import { removeFolder } from '../../test/remove-folder.ts';
import { loadKeyRing, newKey, parseKeys } from './key-ring.ts';
import { CannotOpen, seal, unseal } from './seal.ts';
import { Vault } from './vault.ts';

const { database, drop } = await createTestDatabase();
after(drop);
const { sql } = database;
beforeEach(() => sql`DELETE FROM sealed_secrets`);

const store = (vault: Vault, purpose: string, text: string) =>
  database.transaction((tx) => vault.store(tx, purpose, text));

function ringOf(...keys: ReturnType<typeof newKey>[]) {
  return { keys, origin: 'environment' as const };
}

test('any text survives sealing unchanged, and no two sealed values of it are alike', () => {
  const key = newKey();
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const [one, two] = [seal(key, 'p', text), seal(key, 'p', text)];
      assert.equal(unseal(ringOf(key), 'p', one), text);
      assert.ok(!one.bytes.equals(two.bytes));
    }),
  );
});

test('a modified, moved or foreign value does not open', () => {
  const key = newKey();
  const sealed = seal(key, 'row 1 token', 'secret');
  for (let at = 0; at < sealed.bytes.length; at += 1) {
    const bytes = Buffer.from(sealed.bytes);
    bytes[at]! ^= 1;
    assert.throws(() => unseal(ringOf(key), 'row 1 token', { ...sealed, bytes }), CannotOpen);
  }
  assert.throws(() => unseal(ringOf(key), 'row 2 token', sealed), CannotOpen);
  assert.throws(() => unseal(ringOf(newKey()), 'row 1 token', sealed), /needs the key/);
});

test('the database contains no secret in plain text, and a value opens only for its own purpose', async () => {
  const vault = new Vault(ringOf(newKey()));
  const id = await store(vault, 'test token', 'hunter2-hunter2');
  assert.equal(await vault.read(sql, id, 'test token'), 'hunter2-hunter2');
  await assert.rejects(vault.read(sql, id, 'other token'), CannotOpen);
  const [row] = await sql<
    { text: string }[]
  >`SELECT sealed_secrets::text AS text FROM sealed_secrets WHERE id = ${id}`;
  const plain = [Buffer.from('hunter2').toString('hex'), 'hunter2'];
  for (const form of plain) assert.ok(!row!.text.includes(form));
  await vault.forget(sql, [id, null]);
  await assert.rejects(vault.read(sql, id, 'test token'), CannotOpen);
});

test('a secret moved to the row of another one with the same purpose does not open, nor is it resealed there', async () => {
  const [old, fresh] = [newKey(), newKey()];
  const vault = new Vault(ringOf(old));
  const [own, foreign] = [await store(vault, 'swapped', 'own'), await store(vault, 'swapped', 'foreign')];
  await sql`
    UPDATE sealed_secrets SET sealed = (SELECT sealed FROM sealed_secrets WHERE id = ${foreign}) WHERE id = ${own}`;
  await assert.rejects(vault.read(sql, own, 'swapped'), CannotOpen);
  const rotating = new Vault(ringOf(fresh, old));
  await assert.rejects(rotating.rotate(database), CannotOpen);
  await assert.rejects(rotating.read(sql, own, 'swapped'), CannotOpen);
  assert.equal(await rotating.read(sql, foreign, 'swapped'), 'foreign');
});

test('after a rotation every secret opens, with the new key alone', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-vault-'));
  try {
    const before = await loadKeyRing({ secretKeys: undefined, dataDirectory: folder });
    const vault = new Vault(before);
    const ids = await Promise.all(
      Array.from({ length: 150 }, (_, index) => store(vault, 'rotated', `value ${index}`)),
    );
    const { keyId } = await vault.rotate(database);
    const after = parseKeys(await readFile(path.join(folder, 'secret-key'), 'utf8'))!;
    assert.deepEqual(
      after.map(({ id }) => id),
      [keyId],
    );
    assert.notEqual(keyId, before.keys[0]!.id);
    const restarted = new Vault(await loadKeyRing({ secretKeys: undefined, dataDirectory: folder }));
    assert.deepEqual(await restarted.missingKeys(sql), []);
    for (const [index, id] of ids.entries())
      assert.equal(await restarted.read(sql, id, 'rotated'), `value ${index}`);
  } finally {
    await removeFolder(folder);
  }
});

test('an interrupted rotation continues where it stopped', async () => {
  const [old, fresh] = [newKey(), newKey()];
  const former = new Vault(ringOf(old));
  const ids = await Promise.all([1, 2, 3].map((n) => store(former, 'broken off', `v${n}`)));
  const both = new Vault(ringOf(fresh, old));
  const resealed = await store(both, 'broken off', 'v4');
  assert.equal((await both.rotate(database)).resealed, 3);
  assert.equal((await both.rotate(database)).resealed, 0);
  ids.push(resealed);
  for (const [index, id] of ids.entries())
    assert.equal(await new Vault(ringOf(fresh)).read(sql, id, 'broken off'), `v${index + 1}`);
});

test('a server without the key says which one is missing', async () => {
  const key = newKey();
  await store(new Vault(ringOf(key)), 'lost', 'x');
  assert.ok((await new Vault(ringOf(newKey())).missingKeys(sql)).includes(key.id));
});
