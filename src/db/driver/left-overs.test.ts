import assert from 'node:assert/strict';
import net from 'node:net';
import { after, test } from 'node:test';
import { patience } from '../../../test/patience.ts';
import { createTestDatabase } from '../../../test/postgres.ts';
import { openClient } from './open-client.ts';
import { isUnavailable } from './unavailable.ts';

const { target, drop } = await createTestDatabase({ empty: true });
after(drop);
assert.ok('socketDirectory' in target);
const { user, database, socketDirectory, port } = target;

/** The bytes up to and including the first message of a type; none if there is no such message. */
function upTo(type: string, bytes: Buffer): Buffer {
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 1 + bytes.readUInt32BE(at + 1);
    if (bytes[at] === type.charCodeAt(0)) return bytes.subarray(0, end);
    at = end;
  }
  return bytes.subarray(0, 0);
}

/** A client whose connection is lost right after the next message of a type, once `loseAfter` was called. */
async function losing() {
  let lastType: string | undefined;
  const server = net.createServer((client) => {
    const behind = net.connect(`${socketDirectory}/.s.PGSQL.${port}`);
    client.on('error', () => {}).on('data', (bytes) => behind.write(bytes));
    client.on('close', () => behind.destroy());
    behind.on('error', () => {}).on('close', () => client.destroy());
    behind.on('data', (bytes) => {
      const passed = lastType === undefined ? bytes : upTo(lastType, bytes);
      if (lastType === undefined || passed.length === 0) return void client.write(bytes);
      lastType = undefined;
      client.end(passed);
      behind.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: ownPort } = server.address() as net.AddressInfo;
  const url = `postgres://${user}:none@127.0.0.1:${ownPort}/${database}`;
  const sql = openClient({ url }, { max: 1, applicationName: 'test', ...patience });
  after(async () => {
    await sql.end({ timeout: 1 });
    server.close();
  });
  await sql`SELECT 1`;
  return {
    sql,
    loseAfter: (type: string) => {
      lastType = type;
    },
  };
}

const row = 'D';
const error = 'E';

test('the first answer after a connection was lost between two rows has its own rows and nothing before them', async () => {
  const { sql, loseAfter } = await losing();
  for (const next of [
    () => sql`SELECT ${'mine'} AS whose`,
    () => sql.unsafe(`SELECT 'mine' AS whose`),
    async () => (await sql.unsafe(`SELECT 'mine' AS whose; SELECT 1; SELECT 2`))[0]!,
  ]) {
    loseAfter(row);
    await assert.rejects(async () => await sql`SELECT n FROM generate_series(1, 1000) AS n`, isUnavailable);
    const rows = await next();
    assert.deepEqual([...rows], [{ whose: 'mine' }]);
  }
});

test('a statement does not fail with the error of an earlier one whose connection was lost', async () => {
  const { sql, loseAfter } = await losing();
  for (const wrong of [
    () => sql`SELECT 1 / ${0}::int`,
    () => sql`SELECT ${1} FROM nothing`,
    () => sql.unsafe('SELECT 1/0'),
  ]) {
    loseAfter(error);
    await assert.rejects(async () => await wrong(), isUnavailable);
    assert.deepEqual([...(await sql`SELECT ${'mine'} AS whose`)], [{ whose: 'mine' }]);
  }
});
