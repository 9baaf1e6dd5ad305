/**
 * One test for each inner detail of postgres.js that README.md lists. If an update of the package breaks one, its name
 * says what has changed; README.md says which of our files relies on it.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import postgres from 'postgres';
import { patience } from '../../../test/patience.ts';
import { createTestDatabase } from '../../../test/postgres.ts';
import { type ClientOptions, clientOptions } from './client-options.ts';
import { copyIn } from './copy-in.ts';
import { openClient } from './open-client.ts';
import { internalsOf, type QueryInternals } from './query-internals.ts';
import { errorCode, isUnavailable } from './unavailable.ts';

const { database, target, drop } = await createTestDatabase({ empty: true });
after(drop);

const packageFile = path.join(import.meta.dirname, '../../../node_modules/postgres/package.json');
const readyType = 'Z'.charCodeAt(0);

/** Splits bytes into messages of PostgreSQL's protocol; throws if they do not end with a whole message. */
function messagesOf(bytes: Buffer): { type: string; body: Buffer }[] {
  const messages: { type: string; body: Buffer }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + bytes.readUInt32BE(at + 1);
    assert.ok(end <= bytes.length, 'a write must end with a whole message');
    messages.push({ type: String.fromCharCode(bytes[at]!), body: bytes.subarray(at + 5, end) });
    at = end;
  }
  return messages;
}

/** A client with one connection, and what it writes; 'ready' marks an answer. */
function recordingClient(options: Partial<ClientOptions> = {}) {
  const traffic: (Buffer | 'ready')[] = [];
  const sockets: net.Socket[] = [];
  const onsocket = (socket: net.Socket) => {
    sockets.push(socket);
    const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
    socket.write = ((bytes: Buffer, ...rest: unknown[]) => {
      traffic.push(Buffer.from(bytes));
      return write(bytes, ...rest);
    }) as typeof socket.write;
    socket.on('data', (bytes) => {
      if (bytes.at(-6) === readyType) traffic.push('ready');
    });
  };
  const sql = openClient(target, { max: 1, applicationName: 'test', ...patience, onsocket, ...options });
  const writes = () => traffic.filter((one) => one !== 'ready');
  return { sql, traffic, writes, sockets };
}

test('the installed postgres.js is the version that README.md describes', async () => {
  const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string };
  const page = await readFile(path.join(import.meta.dirname, 'README.md'), 'utf8');
  const [, described] = /postgres\.js (\d+\.\d+\.\d+)/.exec(page) ?? [];
  assert.equal(
    described,
    version,
    'postgres.js was updated: check every detail in src/db/driver/README.md against its source, then name the new version there',
  );
});

describe('a query of postgres.js', () => {
  const { sql } = recordingClient();
  after(() => sql.end());

  test('is a promise, while identifiers and value lists are not', () => {
    assert.ok(sql`select 1` instanceof Promise);
    assert.ok(!((sql('name') as unknown) instanceof Promise));
    assert.ok(!((sql([1, 2]) as unknown) instanceof Promise));
  });

  test('has `handler`, `resolve`, `reject` and `active`, and goes to the server only through `handler`, once', async () => {
    const query = sql`select 1 as one`;
    const internals = internalsOf(query);
    const handler = internals.handler;
    const handled: QueryInternals[] = [];
    internals.handler = Object.assign((self: QueryInternals) => void handled.push(self), handler);
    const outcome = Promise.all([query, query]);
    await new Promise(setImmediate);
    assert.deepEqual(handled.length, 1, '`handler` must be called once');
    assert.equal(handled[0], internals, '`handler` must be called with the query itself');
    handler(internals);
    assert.deepEqual((await outcome)[0][0], { one: 1 });
  });

  test('without these fields is an error that names them', () => {
    const fields = { handler: () => {}, resolve: () => {}, reject: () => {}, active: false };
    for (const missing of Object.keys(fields)) {
      const query: object = { ...fields, [missing]: undefined };
      assert.throws(() => internalsOf(query), /`handler`, `resolve`, `reject` and `active`.*README/);
    }
  });

  test('fails with what `reject` is given, without having been sent', async () => {
    const query = sql`select 1`;
    internalsOf(query).handler = (self) => self.reject(new Error('rejected'));
    await assert.rejects(async () => await query, /rejected/);
  });

  test('has a `string` only once it is sent', async () => {
    const query = sql`select 1`;
    assert.equal(internalsOf(query).string, undefined);
    await query;
    assert.equal(internalsOf(query).string, 'select 1');
  });

  test('fails unsent, with the error that ended the connection before it during another query', async () => {
    const client = postgres(clientOptions(target, { max: 1, applicationName: 'test', ...patience }));
    const endsItself = client`select pg_terminate_backend(pg_backend_pid())`;
    await assert.rejects(async () => await endsItself, isUnavailable);
    const next = client`select 1`;
    await assert.rejects(async () => await next, { code: '57P01' });
    assert.equal(internalsOf(next).string, undefined);
    await client.end();
  });

  test('is `active` while its answer arrives, and not before or after', async () => {
    const first = sql.unsafe('select 1', [], { prepare: true });
    const second = sql.unsafe('select n from generate_series(1, 3) as n', [], { prepare: true });
    const states: boolean[] = [internalsOf(second).active];
    void second.forEach(() => void states.push(internalsOf(second).active, internalsOf(first).active));
    await Promise.all([first, second]);
    states.push(internalsOf(second).active);
    assert.deepEqual(states, [false, true, false, true, false, true, false, false]);
  });

  test('that is raw passes each row as one buffer per column', async () => {
    const rows: unknown[] = [];
    await sql`select 'a' as one, null as two`.raw().forEach((columns) => void rows.push(columns));
    assert.deepEqual(rows, [[Buffer.from('a'), null]]);
  });

  test('puts its text on the errors of its connection', async () => {
    const nowhere = openClient({ ...target, port: 1 } as typeof target, {
      max: 1,
      applicationName: 'test',
      ...patience,
    });
    const error = await nowhere`select 1`.then(
      () => assert.fail('there is no server'),
      (reason: unknown) => reason as Error,
    );
    await nowhere.end();
    assert.equal(errorCode(error), 'ENOENT');
    assert.ok('query' in error, 'the error must have a `query`, which tells it from that of a file');
    assert.ok(isUnavailable(error));
  });
});

test('refused COPY rows call `reject`, although the query has already resolved with its stream', async () => {
  await database.sql`create table copied (id int primary key)`;
  async function* rows() {
    yield Buffer.from('1\n1\n');
  }
  await assert.rejects(
    database.transaction((tx) => copyIn(tx, 'copied', ['id'], rows())),
    { code: '23505' },
  );
});

describe('the socket of postgres.js', () => {
  test('gets whole messages in each write, first the startup message, and nothing that we did not send', async () => {
    const { sql, writes } = recordingClient();
    await sql`select ${'a'}::text as first, ${1}::int as second`;
    await sql`select n from generate_series(1, 2) as n`;
    await sql.end();
    const [startup, ...others] = writes();
    assert.equal(startup?.readUInt32BE(0), startup?.length, 'the first write is one message without a type');
    assert.equal(startup?.readUInt32BE(4), 0x00030000, 'and it is the startup message');
    const types = others.flatMap((bytes) => messagesOf(bytes).map(({ type }) => type));
    assert.deepEqual(types.join(''), 'PDHBESPDBES');
  });

  test('may be read by us: emitted data is taken as received, and not kept after the call', async () => {
    const sql = openClient(target, { max: 1, applicationName: 'test', ...patience, onRow: () => false });
    for (let turn = 0; turn < 3; turn++) {
      const rows = await sql.unsafe('select repeat($1, 5000) as text from generate_series(1, 200)', ['x']);
      assert.equal(rows.length, 200);
      assert.ok(rows.every(({ text }) => text === 'x'.repeat(5000)));
      await assert.rejects(sql.unsafe('select 1 / $1::int', [0]), { code: '22012' });
    }
    await sql.end();
  });

  test('gets one statement at a time if `max_pipeline` is 0', async () => {
    const { sql, traffic } = recordingClient();
    await sql`select 1`;
    traffic.length = 0;
    await Promise.all([sql`select pg_sleep(0.05)`, sql`select pg_sleep(0.05)`]);
    await sql.end();
    const order = traffic.map((one) => (one === 'ready' ? 'answer' : 'statement'));
    assert.deepEqual(order.slice(0, 4), ['statement', 'answer', 'statement', 'answer']);
  });

  test('gets several statements at once on a connection of its own, so that BEGIN costs no round trip', async () => {
    const { sql, traffic } = recordingClient({ isExclusive: true });
    await sql`select 1`;
    const reserved = await sql.reserve();
    traffic.length = 0;
    await Promise.all([reserved.unsafe('begin').execute(), reserved.unsafe('select pg_sleep(0.05)')]);
    await reserved.unsafe('rollback');
    await sql.end({ timeout: 0 });
    const statements = Buffer.concat(
      traffic.slice(0, traffic.indexOf('ready')).filter((one) => one !== 'ready'),
    );
    assert.match(statements.toString('latin1'), /begin.*pg_sleep/s);
  });

  test('is reported by `onclose` when it is lost', async () => {
    const closed = Promise.withResolvers<void>();
    const { sql, sockets } = recordingClient({ onclose: () => closed.resolve() });
    await sql`select 1`;
    sockets[0]!.destroy();
    await closed.promise;
    await sql.end();
  });
});

describe('the error codes of postgres.js', () => {
  const codeOf = (running: Promise<unknown>) => running.then(() => undefined, errorCode);

  test('CONNECTION_ENDED: a statement after the end', async () => {
    const { sql } = recordingClient();
    await sql.end();
    assert.equal(await codeOf(sql`select 1`), 'CONNECTION_ENDED');
  });

  test('CONNECTION_DESTROYED: a statement that is cut off by the end', async () => {
    const { sql, writes } = recordingClient();
    await sql`select 1`;
    const before = writes().length;
    const code = codeOf(sql`select pg_sleep(60)`);
    while (writes().length === before) await new Promise(setImmediate);
    await sql.end({ timeout: 0 });
    assert.equal(await code, 'CONNECTION_DESTROYED');
  });

  test('CONNECTION_CLOSED: a statement whose connection is closed without an error', async () => {
    const { sql, sockets, writes } = recordingClient();
    await sql`select 1`;
    const before = writes().length;
    const code = codeOf(sql`select pg_sleep(60)`);
    while (writes().length === before) await new Promise(setImmediate);
    sockets[0]!.destroy();
    assert.equal(await code, 'CONNECTION_CLOSED');
    await sql.end({ timeout: 0 });
  });

  test('CONNECT_TIMEOUT: a server that accepts and says nothing', async () => {
    const server = net.createServer(() => {}).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as net.AddressInfo;
    const sql = postgres({ host: '127.0.0.1', port, connect_timeout: 0.1, fetch_types: false });
    assert.equal(await codeOf(sql`select 1`), 'CONNECT_TIMEOUT');
    await sql.end({ timeout: 0 });
    server.close();
  });
});
