import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { operatorToken, startTestApp } from '../../../test/harness.ts';
import { createTestDatabase } from '../../../test/postgres.ts';
import { freshId, organization, sampleKeys, samplePlatform } from '../../../test/sample-platform.ts';
import { restore } from '../../db/backup/restore-backup.ts';
import { backup } from '../../db/backup/write-backup.ts';
import { type AuditEntryRow, hashEntry } from './hash-chain.ts';
import { findEntriesAfter } from './store.ts';
import { verifyChains } from './verify-chains.ts';

const test$ = await startTestApp();
await test$.platform(samplePlatform());
const { sql } = test$.database;

beforeEach(() => test$.resetLimits());

interface Chain {
  chain_id: string;
  org_id: string | null;
  workspace: string | null;
  entries: number;
  head: string;
  fault: { position: number; message: string } | null;
}

async function verify(query = '') {
  const answer = await test$.operator('GET', `/operator/v1/audit/verification${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json as { verified: boolean; entries: number; chains: Chain[] };
}

/** An organization with some entries: its creation, its members and two roles. */
async function organizationWithLog() {
  const orgId = `8${freshId()}`;
  await test$.platform({ organizations: [organization({ provider_organization_id: orgId })] });
  const key = await test$.createKey({
    kind: 'organization',
    provider: 'github',
    org_id: orgId,
    owner: '9001',
  });
  for (const name of ['one', 'two']) await test$.call('POST', '/v1/roles', { key, body: { name } });
  const [row] = await sql<
    { id: string }[]
  >`SELECT id FROM organizations WHERE provider_organization_id = ${orgId}`;
  const check = async () => (await verify(`?provider=github&org_id=${orgId}`)).chains[0]!;
  return { orgId, id: row!.id, key, check };
}

/** Tampers with the log as a database superuser could, and undoes it after the check. */
async function tamper(statement: string, check: () => Promise<void>) {
  await test$.database.transaction(async (tx) => {
    await tx.unsafe(
      'CREATE TABLE kept_entries AS TABLE audit_entries; CREATE TABLE kept_chains AS TABLE audit_chains',
    );
    await tx.unsafe('ALTER TABLE audit_entries DISABLE TRIGGER USER');
    await tx.unsafe(statement);
  });
  await check();
  await test$.database.transaction((tx) =>
    tx.unsafe(`
      TRUNCATE audit_entries, audit_chains;
      INSERT INTO audit_entries TABLE kept_entries; INSERT INTO audit_chains TABLE kept_chains;
      DROP TABLE kept_entries, kept_chains;
      ALTER TABLE audit_entries ENABLE TRIGGER USER`),
  );
}

test('an untouched log verifies, whatever its entries contain', async () => {
  const { orgId } = await organizationWithLog();
  // The audit entry of a key with an expiry contains a date.
  await test$.createKey({ ...sampleKeys.workspace });
  const result = await verify();
  assert.deepEqual(
    result.chains.filter(({ fault }) => fault !== null),
    [],
  );
  assert.equal(result.verified, true);
  const [{ count }] = await sql<[{ count: number }]>`SELECT count(*)::int AS count FROM audit_entries`;
  assert.equal(result.entries, count);
  assert.ok(result.chains.some(({ org_id }) => org_id === orgId));
  assert.ok(result.chains.some(({ org_id, workspace }) => org_id === null && workspace === 'acme'));
});

test('every kind of tampering is detected, at its position', async () => {
  const { id, check } = await organizationWithLog();
  const { entries } = await check();
  const at = `chain_id = '${id}' AND position`;
  const cases: [string, number, RegExp][] = [
    [`UPDATE audit_entries SET actor_name = 'Mallory' WHERE ${at} = 2`, 2, /changed/],
    [`UPDATE audit_entries SET metadata = metadata || '{"x":1}' WHERE ${at} = 2`, 2, /changed/],
    [`UPDATE audit_entries SET created_at = created_at + interval '1 s' WHERE ${at} = 1`, 1, /changed/],
    [`UPDATE audit_entries SET hash = decode(repeat('ab', 32), 'hex') WHERE ${at} = 3`, 3, /changed/],
    [`UPDATE audit_entries SET previous_hash = decode(repeat('ab', 32), 'hex') WHERE ${at} = 3`, 3, /link/],
    [`DELETE FROM audit_entries WHERE ${at} = 2`, 2, /missing/],
    [`DELETE FROM audit_entries WHERE ${at} = ${entries}`, entries, /missing at the end/],
    [
      `DELETE FROM audit_entries WHERE ${at} = 1; UPDATE audit_entries SET position = -position WHERE chain_id = '${id}';
       UPDATE audit_entries SET position = -position - 1 WHERE chain_id = '${id}'`,
      1,
      /link/,
    ],
    [
      `UPDATE audit_chains SET last_position = last_position - 1 WHERE chain_id = '${id}'`,
      entries + 1,
      /beyond/,
    ],
    [`DELETE FROM audit_chains WHERE chain_id = '${id}'`, entries + 1, /not recorded/],
    [
      `UPDATE audit_chains SET last_hash = decode(repeat('ab', 32), 'hex') WHERE chain_id = '${id}'`,
      entries + 1,
      /end was changed/,
    ],
    [`DELETE FROM audit_entries WHERE chain_id = '${id}'`, 1, /missing at the end/],
  ];
  for (const [statement, position, message] of cases) {
    await tamper(statement, async () => {
      const { fault } = await check();
      assert.equal(fault?.position, position, statement);
      assert.match(fault!.message, message, statement);
      assert.equal((await verify()).verified, false);
    });
  }
  assert.equal((await check()).fault, null);
});

test('the hash of an entry covers the previous hash and every field, in the format of existing chains', () => {
  const entry: AuditEntryRow = {
    chain_id: '11111111-1111-4111-8111-111111111111',
    position: 2,
    id: '22222222-2222-4222-8222-222222222222',
    organization_id: '11111111-1111-4111-8111-111111111111',
    workspace_id: null,
    action: 'role.created',
    resource_type: 'role',
    resource_id: '33333333-3333-4333-8333-333333333333',
    resource_summary: 'Réviseurs "A"',
    actor_type: 'user',
    actor_id: '9001',
    actor_name: 'user-9001',
    actor_subtitle: 'API key ci',
    actor_is_bot: false,
    metadata: { permissions: ['learning:read'], nested: { b: 1, a: null } },
    ip_address: '192.0.2.1',
    request_id: null,
    created_at: new Date('2026-06-15T12:00:00.000Z'),
  };
  const previous = Buffer.alloc(32, 7);
  // Computed independently of this code: SHA-256 over the previous hash and the entry as JSON with sorted keys and no spaces.
  assert.equal(
    hashEntry(previous, entry).toString('hex'),
    '1b58b94eebb480ea5cf5779881523cbb94c2de736b63622cc6e0e96e08eba428',
  );
  const changed = [
    hashEntry(Buffer.alloc(32, 8), entry),
    ...Object.keys(entry).map((field) =>
      hashEntry(previous, { ...entry, [field]: field === 'created_at' ? new Date(0) : 'another' }),
    ),
  ].map((hash) => hash.toString('hex'));
  assert.equal(new Set(changed).size, Object.keys(entry).length + 1);
});

test('replacing an entry and its hash is detected at the next entry; relinking all later ones, at the recorded end', async () => {
  const { id, check } = await organizationWithLog();
  const { entries } = await check();
  const linked = await findEntriesAfter(sql, id, 0, 1000);
  const forged = { ...linked[1]!.entry, actor_name: 'Mallory' };
  const hash = hashEntry(linked[0]!.hash, forged);
  const put = ({ position, actor_name }: AuditEntryRow, previousHash: Buffer, own: Buffer) => `
    UPDATE audit_entries SET actor_name = '${actor_name}', previous_hash = '\\x${previousHash.toString('hex')}',
      hash = '\\x${own.toString('hex')}' WHERE chain_id = '${id}' AND position = ${position};`;
  const faultAfter = async (statement: string) => {
    let found: Chain['fault'] = null;
    await tamper(statement, async () => {
      found = (await check()).fault;
    });
    return found as Chain['fault'];
  };

  const replaced = put(forged, linked[0]!.hash, hash);
  const next = await faultAfter(replaced);
  assert.deepEqual([next?.position, next?.message], [3, 'the entry does not link to the one before it']);

  // Pointing the next entry at the forged one does not make that entry's own hash match.
  const relinked = replaced + put(linked[2]!.entry, hash, linked[2]!.hash);
  const mismatch = await faultAfter(relinked);
  assert.deepEqual([mismatch?.position, mismatch?.message], [3, 'the entry was changed']);

  let last = hash;
  let whole = replaced;
  for (const { entry } of linked.slice(2)) {
    const own = hashEntry(last, entry);
    whole += put(entry, last, own);
    last = own;
  }
  const end = await faultAfter(whole);
  assert.deepEqual([end?.position, end?.message], [entries + 1, 'the recorded end was changed']);
});

test('verification succeeds while entries are being written', async () => {
  const { key, check } = await organizationWithLog();
  const writing = Array.from({ length: 20 }, (_, index) =>
    test$.call('POST', '/v1/roles', { key, body: { name: `role ${index}` } }),
  );
  for (let round = 0; round < 10; round++) assert.equal((await check()).fault, null);
  await Promise.all(writing);
  assert.equal((await check()).fault, null);
});

test('an unknown organization is not found, and org_id requires provider', async () => {
  const unknown = await test$.operator('GET', '/operator/v1/audit/verification?provider=github&org_id=none');
  assert.deepEqual([unknown.status, unknown.json.error.code], [404, 'NOT_FOUND']);
  const incomplete = await test$.operator('GET', '/operator/v1/audit/entries?org_id=1001');
  assert.deepEqual([incomplete.status, incomplete.json.error.code], [400, 'INVALID_REQUEST']);
  assert.equal((await test$.call('GET', '/operator/v1/audit/entries')).status, 401);
  assert.equal((await test$.call('GET', '/operator/v1/audit/verification')).status, 401);
});

test('the export contains every entry as a line of JSON, linked to the one before it in its chain', async () => {
  const { orgId, key } = await organizationWithLog();
  const answer = await test$.operator('GET', '/operator/v1/audit/entries');
  assert.equal(answer.headers['content-type'], 'application/x-ndjson');
  assert.ok(answer.text.endsWith('\n'));
  const lines = answer.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const [{ count }] = await sql<[{ count: number }]>`SELECT count(*)::int AS count FROM audit_entries`;
  assert.equal(lines.length, count);
  const last = new Map<string, string>();
  for (const { chain_id, previous_hash, hash } of lines) {
    assert.equal(previous_hash, last.get(chain_id) ?? '00'.repeat(32));
    last.set(chain_id, hash);
  }
  const own = await test$.operator('GET', `/operator/v1/audit/entries?provider=github&org_id=${orgId}`);
  const entry = JSON.parse(own.text.trimEnd().split('\n').at(-1)!);
  const listed = (await test$.get('/v1/audit-logs?page_size=1', key)).json.data[0];
  assert.deepEqual(
    [entry.id, entry.action, entry.actor.name, entry.created_at, entry.org_id, entry.provider],
    [listed.id, 'role.created', listed.actor.name, listed.createdAt, orgId, 'github'],
  );
});

test('an export with since leaves out earlier entries', async () => {
  const { orgId, key } = await organizationWithLog();
  test$.now = new Date(test$.now.getTime() + 1000);
  await test$.call('POST', '/v1/roles', { key, body: { name: 'late' } });
  const since = (date: Date) =>
    test$.operator(
      'GET',
      `/operator/v1/audit/entries?provider=github&org_id=${orgId}&since=${date.toISOString()}`,
    );
  const found = (await since(test$.now)).text.trimEnd().split('\n');
  assert.deepEqual(
    found.map((line) => JSON.parse(line).resource_summary),
    ['late'],
  );
  assert.equal((await since(new Date(test$.now.getTime() + 1))).text, '');
});

test('a client that disconnects during the export causes no warnings or errors in the server log', async () => {
  const members = Array.from({ length: 8000 }, (_, index) => ({
    user_id: `m${index}`,
    username: `m${index}`,
  }));
  await test$.platform({ organizations: [organization({ provider_organization_id: freshId(), members })] });
  const address = await test$.app.server.listen({ host: '127.0.0.1', port: 0 });
  const logged = test$.logLines.length;
  const request = get(`${address}/operator/v1/audit/entries`, {
    headers: { authorization: `Bearer ${operatorToken}` },
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  await once(response, 'data');
  response.destroy();
  const connections = promisify(test$.app.server.server.getConnections.bind(test$.app.server.server));
  while ((await connections()) > 0) await sleep(10);
  await sleep(50);
  assert.deepEqual(
    test$.logLines.slice(logged).filter((line) => JSON.parse(line).level >= 40),
    [],
  );
});

test('a restored backup contains the same log, and it verifies', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-audit-'));
  const target = await createTestDatabase({ empty: true });
  try {
    const file = path.join(folder, 'audit.backup');
    await backup(test$.database, file);
    await restore(target.database, file);
    assert.deepEqual(await verifyChains(target.database.sql, {}), await verifyChains(sql, {}));
  } finally {
    await target.drop();
    await rm(folder, { recursive: true });
  }
});

test('the database refuses to change or remove entries', async () => {
  for (const statement of [
    `UPDATE audit_entries SET actor_name = 'Mallory'`,
    'DELETE FROM audit_entries',
    'TRUNCATE audit_entries',
  ])
    await assert.rejects(sql.unsafe(statement), /the audit log only grows/);
});

test('no source file changes or removes entries, or bypasses the trigger that forbids it', async () => {
  const source = path.resolve(import.meta.dirname, '../..');
  const files = (await readdir(source, { recursive: true, withFileTypes: true })).filter(
    (file) => file.isFile() && /(?<!\.test)\.(ts|sql)$/.test(file.name) && file.name !== 'schema.sql',
  );
  assert.ok(files.length > 50);
  for (const file of files) {
    const name = path.join(file.parentPath, file.name);
    const text = (await readFile(name, 'utf8')).replaceAll(/\s+/g, ' ');
    assert.doesNotMatch(text, /(UPDATE|DELETE FROM|TRUNCATE)( TABLE| ONLY)? "?audit_entries/i, name);
    assert.doesNotMatch(text, /DISABLE TRIGGER|DROP TRIGGER audit|session_replication_role/i, name);
  }
});
