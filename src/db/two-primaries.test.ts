import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { runCommand } from '../../test/command-line.ts';
import { EmbeddedFolders } from '../../test/embedded-folder.ts';
import { removeFolder } from '../../test/remove-folder.ts';
import { openTcpProxy, type TcpProxy } from '../../test/tcp-proxy.ts';
import { workConnection } from './client/queue-connection.ts';
import { openDatabase } from './database.ts';
import { tlsRequest } from './driver/sockets/encrypted-socket.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { watchHosts } from './watch-hosts.ts';

const folders = new EmbeddedFolders();
await folders.open();
const archive = await mkdtemp(path.join(tmpdir(), 'postil-primaries-'));
const stops: (() => unknown)[] = [];
after(async () => {
  for (const stop of stops.reverse()) await stop();
  await folders.close();
  await removeFolder(archive);
});

async function start(directory: string, restoreUntil?: 'latest'): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({
    directory,
    durable: false,
    archive: { folder: archive, ...(restoreUntil && { restoreUntil }) },
  });
  stops.push(postgres.stop);
  return postgres;
}

/** The ports of the servers that were probed for TLS, in order. */
const greeted: number[] = [];

async function reach({ target }: EmbeddedPostgres): Promise<TcpProxy> {
  const place = { path: `${target.socketDirectory}/.s.PGSQL.${target.port}` };
  const proxy: TcpProxy = await openTcpProxy(place, (answer) => {
    if (answer.length === 1) greeted.push(proxy.port);
    return answer;
  });
  stops.push(() => proxy.close());
  return proxy;
}

/** A primary, and a copy of it that was promoted although the primary still runs. */
async function twoPrimaries() {
  const directory = await folders.existing();
  const archived = await startEmbeddedPostgres({ directory, durable: false, archive: { folder: archive } });
  await archived.stop();
  const copy = await folders.absent();
  await promisify(execFile)('cp', ['-a', directory, copy]);
  await writeFile(path.join(copy, 'postgres', 'recovery.signal'), '');
  return [await reach(await start(directory)), await reach(await start(copy, 'latest'))] as const;
}

test('a node leaves a replaced primary with its pools and its queue, and reports that there are two', async () => {
  const [former, promoted] = await twoPrimaries();
  const secret = 'x7Kq93LmVt';
  const url = `postgres://postil:${secret}@127.0.0.1:${former.port},127.0.0.1:${promoted.port}/postil`;
  const target = { url };
  promoted.cut();
  const database = openDatabase(target, { maxConnections: 6 });
  stops.push(() => database.close());
  const said: string[] = [];
  const note = (...given: unknown[]) => void said.push(JSON.stringify(given));
  const hosts = watchHosts({ database, log: { error: note, info: note } as never })!;
  assert.equal(hosts.primaries(), undefined, 'nobody was asked yet');
  const timeline = 'select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline';
  const timelines = async () => {
    const found = await Promise.all([
      database.sql.unsafe(timeline),
      database.transaction((tx) => tx.unsafe(timeline)),
      database.ownSession((session) => session.unsafe(timeline)),
    ]);
    return new Set(found.map(([row]) => Number(row!.timeline)));
  };
  /** Opens a socket like the queue's client. */
  const openQueue = async () => {
    const socket = workConnection(target).stream!() as Duplex & { connect(): unknown };
    stops.push(() => socket.destroy());
    socket.on('error', () => {}).connect();
    await once(socket, 'connect');
    socket.write(tlsRequest);
    await once(socket, 'data');
    return { socket, port: greeted.at(-1) };
  };
  const run = () => hosts.schedule.run(new AbortController().signal);
  assert.deepEqual(await timelines(), new Set([1]), 'while the other one is silent');
  const queue = await openQueue();
  assert.equal(queue.port, former.port);
  await run();
  assert.deepEqual([hosts.primaries(), said.length], [1, 0]);

  promoted.mend();
  const closed = new Promise<void>((resolve) => void queue.socket.once('close', () => resolve()));
  await run();
  await closed;
  assert.equal((await openQueue()).port, promoted.port);
  assert.deepEqual(await timelines(), new Set([2]));
  await run();
  assert.deepEqual([hosts.primaries(), said.length], [2, 1], 'once, however often it is seen');
  assert.match(said[0]!, /"timeline":2.*"timeline":1.*more than one server says that it is the primary/);

  const doctor = async () => {
    const { code, out } = await runCommand(['doctor'], { DATABASE_URL: url, POSTIL_DATA_DIR: archive });
    assert.equal(code, 1);
    assert.ok(!`${out}${said}`.includes(secret));
    return out;
  };
  const [at, other] = [`127.0.0.1:${former.port}`, `127.0.0.1:${promoted.port}`];
  const both = `${at} is a primary \\(timeline 1\\), ${other} is a primary \\(timeline 2\\)`;
  assert.match(await doctor(), new RegExp(`^FAIL  Primary: 2 servers say .*: ${both}`, 'm'));

  // The replaced primary is not used again, although it is the only one left.
  promoted.close();
  while (database.connections().open > 0) await new Promise(setImmediate);
  await assert.rejects(database.ping(), { name: 'DatabaseUnavailable' });
  await run();
  assert.deepEqual([hosts.primaries(), said.length], [1, 2]);
  assert.match(said[1]!, /there is one primary again/);
  const out = await doctor();
  assert.match(out, new RegExp(`^ok    Primary: ${at} is a primary \\(timeline 1\\)$`, 'm'));
  assert.match(out, new RegExp(`^FAIL  Standbys: ${other} cannot be reached \\(.*ECONNREFUSED`, 'm'));
});
