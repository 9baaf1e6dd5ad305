import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitDatabase } from './await-database.ts';
import { type Database, DatabaseUnavailable, StandbyRefused, TlsNotOffered } from './database.ts';

const coded = (code: string, also = {}) => Object.assign(new Error(`it says ${code}`), { code, ...also });
const unreachable = (cause: Error) => new DatabaseUnavailable('none of the hosts is a primary', { cause });

/** Waits for a database whose first connections fail with these errors before one succeeds. */
async function waitAfter(failures: readonly Error[], maxMs = 600_000, repeatMs?: number) {
  const left = [...failures];
  const said: string[] = [];
  const sql = (async () => {
    const failure = left.shift();
    if (failure !== undefined) throw failure;
  }) as unknown as Database['sql'];
  const log = (message: string) => said.push(message);
  const outcome = await awaitDatabase({ sql }, maxMs, log, repeatMs).catch((error: Error) => error);
  return { outcome, said, left: left.length };
}

test('a database that cannot be reached, is starting or has no connection left is waited for', async () => {
  const failures = [
    coded('ECONNREFUSED', { query: 'select 1' }),
    coded('ENOTFOUND', { query: 'select 1' }),
    coded('CONNECT_TIMEOUT'),
    coded('57P03'),
    coded('53300'),
    unreachable(new DatabaseUnavailable('the host is no primary')),
  ];
  const waits = await Promise.all(failures.map((failure) => waitAfter([failure])));
  assert.deepEqual(
    waits.map(({ outcome, said }) => [outcome, ...said]),
    failures.map(({ message }) => [
      undefined,
      `Waiting for the database, for 600 s at most: ${message}`,
      'The database is there.',
    ]),
  );
});

test('an error that waiting does not fix is thrown at once, and any error when the time is up', async () => {
  for (const failure of [
    coded('28P01'),
    coded('28000'),
    coded('3D000'),
    coded('42704'),
    coded('DEPTH_ZERO_SELF_SIGNED_CERT'),
    new StandbyRefused(),
    unreachable(new StandbyRefused()),
    new TlsNotOffered('require'),
  ])
    assert.deepEqual(await waitAfter([failure]), { outcome: failure, said: [], left: 0 });
  const away = coded('57P03');
  assert.deepEqual(await waitAfter([away, away], 0), { outcome: away, said: [], left: 1 });
});

test('the log message is repeated after a while, and a new reason is logged at once', async () => {
  const failures = [coded('53300'), coded('53300'), coded('57P03')];
  const { said } = await waitAfter(failures);
  assert.deepEqual(
    said.map((message) => message.split(': ')[1]),
    ['it says 53300', 'it says 57P03', undefined],
  );
  assert.equal((await waitAfter(failures, 600_000, 0)).said.length, failures.length + 1);
});
