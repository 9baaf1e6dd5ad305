import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { runCommand } from '../../test/command-line.ts';
import { operatorToken, startTestApp } from '../../test/harness.ts';
import { createTestDatabase, urlOf } from '../../test/postgres.ts';
import { removeFolder } from '../../test/remove-folder.ts';
import { loadKeyRing, newKey, parseKeys } from '../secrets/key-ring.ts';
import { Vault } from '../secrets/vault.ts';

const home = await mkdtemp(path.join(tmpdir(), 'postil-secrets-'));
after(() => removeFolder(home));

const { database, target, drop } = await createTestDatabase();
after(drop);
const base64 = ({ bytes }: { bytes: Buffer }) => bytes.toString('base64');

test('a running server rotates its own key and reports how many secrets it resealed', async () => {
  const ring = await loadKeyRing({ secretKeys: undefined, dataDirectory: home });
  const vault = new Vault(ring);
  const app = await startTestApp({ vault });
  const id = await app.database.transaction((tx) => vault.store(tx, 'test', 'secret of the server'));
  const url = await app.app.server.listen({ host: '127.0.0.1', port: 0 });
  const variables = { POSTIL_URL: url, POSTIL_OPERATOR_TOKEN: operatorToken };
  const { code, out, err } = await runCommand(['secrets', 'rotate'], variables);
  assert.deepEqual([code, err], [0, '']);
  const [key, ...others] = parseKeys(await readFile(path.join(home, 'secret-key'), 'utf8'))!;
  assert.deepEqual([out, others], [`1 secret resealed; the key is now ${key!.id}\n`, []]);
  assert.notEqual(key!.id, ring.keys[0]!.id);
  assert.equal(await vault.read(app.database.sql, id, 'test'), 'secret of the server');
  const { text } = await app.operator('GET', '/operator/v1/audit/entries');
  assert.match(text, /"secret_key\.rotated"/);
  assert.ok(!text.includes(base64(key!)));

  await app.database.sql`UPDATE sealed_secrets SET key_id = 'deadbeef'`;
  const refused = await runCommand(['secrets', 'rotate'], variables);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /need keys that are not here: deadbeef/);
  assert.equal(parseKeys(await readFile(path.join(home, 'secret-key'), 'utf8'))!.length, 1);
});

test('without a server, everything is resealed with the first key of POSTIL_SECRET_KEY', async () => {
  const [old, fresh] = [newKey(), newKey()];
  const previous = new Vault({ keys: [old], origin: 'environment' });
  const id = await database.transaction((tx) => previous.store(tx, 'test', 'kept'));
  const variables = {
    DATABASE_URL: urlOf(target),
    POSTIL_DATA_DIR: path.join(home, 'none'),
    POSTIL_SECRET_KEY: `${base64(fresh)},${base64(old)}`,
  };
  const { code, out, err } = await runCommand(['secrets', 'rotate'], variables);
  assert.equal(code, 0, err);
  assert.equal(out, `1 secret resealed; the key is now ${fresh.id}\n`);
  assert.match(err, new RegExp(`No longer needed: ${old.id}`));
  const vault = new Vault({ keys: [fresh], origin: 'environment' });
  assert.equal(await vault.read(database.sql, id, 'test'), 'kept');
  const again = await runCommand(['secrets', 'rotate', '--json'], {
    ...variables,
    POSTIL_SECRET_KEY: base64(fresh),
  });
  assert.deepEqual(JSON.parse(again.out), {
    key_id: fresh.id,
    resealed: 0,
    retired: [],
    key_source: 'environment',
  });
});

test('without a server or a key, nothing is created', async () => {
  const empty = path.join(home, 'empty');
  const { code, err } = await runCommand(['secrets', 'rotate'], {
    DATABASE_URL: urlOf(target),
    POSTIL_DATA_DIR: empty,
  });
  assert.equal(code, 1);
  assert.match(err, /There is no key/);
  await assert.rejects(readdir(empty), { code: 'ENOENT' });
});
