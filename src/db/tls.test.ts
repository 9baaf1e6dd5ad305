import assert from 'node:assert/strict';
import { copyFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { runCommand } from '../../test/command-line.ts';
import { selfSigned } from '../../test/self-signed.ts';
import { startTlsPostgres } from '../../test/tls-postgres.ts';
import { readSettings } from '../settings.ts';
import { createWorkQueue } from '../work/work-queue.ts';
import { openDatabase } from './database.ts';

const server = await startTlsPostgres();
after(server.close);
const { authorities, certificate, key } = server;
const own = (name: string) => path.join(path.dirname(authorities), name);

/** Connects with each client. Returns which connections were encrypted, as the server reports it. */
async function connectWithAll(url: string): Promise<unknown> {
  const database = openDatabase({ url }, { maxConnections: 3, applicationName: 'ours' });
  const queue = createWorkQueue({ target: { url }, units: () => [], onError: () => {} });
  try {
    const ask = database.sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;
    const asked = await Promise.allSettled([
      ask,
      database.transaction((tx) => tx`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`),
      queue.startNow(database.sql, 'nothing'),
    ]);
    const failed = asked.map((one) => (one.status === 'rejected' ? rootOf(one.reason) : undefined));
    if (failed.some((one) => one !== undefined)) return failed;
    const seen = await database.sql<{ name: string; ssl: boolean }[]>`
      SELECT DISTINCT a.application_name AS name, s.ssl FROM pg_stat_activity a JOIN pg_stat_ssl s USING (pid)
      WHERE a.application_name IN ('ours', 'postil work') ORDER BY name`;
    return seen.map(({ name, ssl }) => `${name}: ${ssl ? 'encrypted' : 'plain'}`);
  } finally {
    await queue.stop();
    await database.close();
  }
}

/** The code of the error at the end of the cause chain. */
function rootOf(error: Error): string {
  return error.cause instanceof Error ? rootOf(error.cause) : `${(error as NodeJS.ErrnoException).code}`;
}
const encrypted = ['ours: encrypted', 'postil work: encrypted'];
const all = (reason: string) => [reason, reason, reason];

test('every client encrypts and verifies as the mode demands', async () => {
  assert.deepEqual(await connectWithAll(server.url('')), ['ours: plain', 'postil work: plain']);
  assert.deepEqual(await connectWithAll(server.url('sslmode=disable')), [
    'ours: plain',
    'postil work: plain',
  ]);
  for (const mode of ['allow', 'prefer', 'require'])
    assert.deepEqual(await connectWithAll(server.url(`sslmode=${mode}`)), encrypted, mode);
  assert.deepEqual(await connectWithAll(server.url('sslmode=require&sslnegotiation=direct')), encrypted);
  const trusting = `sslrootcert=${authorities}`;
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    assert.deepEqual(await connectWithAll(server.url(`sslmode=${mode}&${trusting}`)), encrypted, mode);
  // Modes that only verify the authority accept a certificate for another name.
  const byAddress = (mode: string) => server.url(`sslmode=${mode}&${trusting}`, '127.0.0.1');
  for (const mode of ['require', 'verify-ca'])
    assert.deepEqual(await connectWithAll(byAddress(mode)), encrypted, mode);
  assert.deepEqual(await connectWithAll(byAddress('verify-full')), all('ERR_TLS_CERT_ALTNAME_INVALID'));

  const untrusted = all('DEPTH_ZERO_SELF_SIGNED_CERT');
  const other = own('other-ca.crt');
  await writeFile(other, selfSigned('localhost').cert);
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    assert.deepEqual(
      await connectWithAll(server.url(`sslmode=${mode}&sslrootcert=${other}`)),
      untrusted,
      mode,
    );
  for (const query of ['sslmode=verify-full', 'sslrootcert=system', 'sslmode=verify-full&sslrootcert=system'])
    assert.deepEqual(await connectWithAll(server.url(query)), untrusted, query);
});

test('a server that demands TLS refuses those that do not encrypt, and one that demands a certificate gets it', async () => {
  assert.deepEqual(await connectWithAll(server.url('', 'localhost', 'encrypted')), all('28000'));
  assert.deepEqual(await connectWithAll(server.url('sslmode=require', 'localhost', 'encrypted')), encrypted);
  const asCertified = (query: string) => connectWithAll(server.url(query, 'localhost', 'certified'));
  assert.deepEqual(await asCertified('sslmode=require'), all('28000'));
  const files = `sslcert=${certificate}&sslkey=${key}`;
  assert.deepEqual(await asCertified(`sslmode=require&${files}`), encrypted);
  assert.deepEqual(await asCertified(`sslmode=verify-full&sslrootcert=${authorities}&${files}`), encrypted);
});

test('a replaced certificate file is used for the next connection', async () => {
  const file = own('replaced-ca.crt');
  await copyFile(authorities, file);
  const database = openDatabase({ url: server.url(`sslmode=verify-full&sslrootcert=${file}`) });
  after(() => database.close());
  const connect = () => database.ownSession((session) => session`SELECT 1`);
  await connect();
  await writeFile(file, selfSigned('localhost').cert);
  await assert.rejects(connect(), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  await copyFile(authorities, file);
  await connect();
});

test('commands connect as the URL says, or the variables of libpq where it does not', async () => {
  const backup = (variables: Record<string, string>) =>
    runCommand(['backup', own('all.backup')], { POSTIL_DATA_DIR: own('data-of-command'), ...variables });
  const inUrl = await backup({ DATABASE_URL: server.url(`sslmode=verify-full&sslrootcert=${authorities}`) });
  // The error shows that the database was reached: it is empty, so there is nothing to back up.
  assert.match(inUrl.err, /schema|empty|no tables/i);
  const file = { PGSSLMODE: 'verify-full', PGSSLROOTCERT: authorities };
  assert.equal((await backup({ DATABASE_URL: server.url(''), ...file })).err, inUrl.err);
  const untrusted = await backup({ DATABASE_URL: server.url(''), PGSSLMODE: 'verify-full' });
  assert.match(
    untrusted.err,
    /^The certificate of the database is not trusted \(.*sslrootcert in DATABASE_URL\n$/,
  );
  const otherName = await backup({ DATABASE_URL: server.url('', '127.0.0.1'), ...file });
  assert.match(otherName.err, /^The certificate of the database is for another host.*127\.0\.0\.1.*\n$/);
  const unknown = await backup({ DATABASE_URL: server.url('sslmod=require') });
  assert.match(unknown.err, /^PostgreSQL refuses a parameter of DATABASE_URL: .*"sslmod"\n$/);
});

test('a setting that protects less than was asked for, or cannot be used, stops the start and is named', () => {
  const missing = path.join(tmpdir(), 'no-such-file.crt');
  const refused: [query: string, reason: RegExp][] = [
    ['sslmode=verify_full', /sslmode must be one of disable, allow, /],
    ['sslmode=', /sslmode must be one of/],
    ['sslmode=verify-ca', /sslmode=verify-ca needs a file in sslrootcert/],
    [`sslrootcert=${authorities}`, /sslrootcert needs sslmode=verify-full/],
    [`sslmode=prefer&sslrootcert=${authorities}`, /sslrootcert needs sslmode=verify-full/],
    ['sslmode=require&sslrootcert=system', /sslrootcert=system needs sslmode=verify-full/],
    [`sslmode=verify-full&sslrootcert=${missing}`, /sslrootcert: \S+no-such-file\.crt .*no such file/],
    [`sslmode=verify-full&sslrootcert=${tmpdir()}`, /sslrootcert: \S+ .*it is a folder/],
    [`sslmode=verify-full&sslrootcert=${key}`, /sslrootcert: \S+client\.key .*a certificate/],
    [`sslmode=require&sslcert=${certificate}`, /sslcert and sslkey are needed together/],
    [`sslcert=${certificate}&sslkey=${key}`, /sslcert needs an sslmode/],
    [`sslmode=require&sslcert=${missing}&sslkey=${key}`, /sslcert: \S+no-such-file\.crt /],
    [`sslmode=require&sslcert=${certificate}&sslkey=${certificate}`, /sslkey: \S+client\.crt .*private key/],
    [`sslmode=require&sslcert=${authorities}&sslkey=${key}`, /sslkey: \S+client\.key does not belong/],
    ['sslnegotiation=direct', /sslnegotiation=direct needs/],
    ['sslmode=require&sslnegotiation=later', /sslnegotiation must be/],
    ['sslmode=require&sslcrl=a.crl', /sslcrl is not supported/],
  ];
  for (const [query, reason] of refused)
    for (const name of ['DATABASE_URL', 'DATABASE_REPLICA_URL']) {
      const urls = { DATABASE_URL: 'postgres://a/reviews', [name]: server.url(query) };
      assert.throws(() => readSettings(urls), new RegExp(`${name}.*: ${reason.source}`), query);
    }
});

test('the variables of libpq apply to every URL that does not set the same itself', () => {
  const read = (url: string, variables: Record<string, string>) =>
    readSettings({ DATABASE_URL: url, DATABASE_REPLICA_URL: `${url},${url}`, ...variables });
  const file = { PGSSLMODE: 'verify-full', PGSSLROOTCERT: authorities };
  const said = `sslmode=verify-full&sslrootcert=${encodeURIComponent(authorities)}`;
  const complete = `postgres://a/reviews?jit=on&${said}`;
  const { databaseUrl, replicaUrls } = read('postgres://a/reviews?jit=on', file);
  assert.deepEqual([databaseUrl, ...replicaUrls], [complete, complete, complete]);
  assert.equal(read('postgres://a/reviews', file).databaseUrl, `postgres://a/reviews?${said}`);
  for (const query of ['?sslmode=disable', '?sslmode=prefer', '?sslrootcert=system'])
    assert.equal(read(`postgres://a${query}`, { PGSSLMODE: 'require' }).databaseUrl, `postgres://a${query}`);
  assert.equal(read('postgres://a?sslmode=disable', file).databaseUrl, 'postgres://a?sslmode=disable');
  assert.throws(() => read('postgres://a', { PGSSLROOTCERT: authorities }), /sslrootcert needs sslmode/);
  assert.throws(() => read('postgres://a', { PGSSLMODE: 'yes' }), /PGSSLMODE: must be one of/);
});
