import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedFolders, postmasterPid, query, spawnServer } from '../../../test/embedded-folder.ts';
import { patience } from '../../../test/patience.ts';
import { openDatabase } from '../database.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

describe('a data folder that is in use, or was until a crash', () => {
  const folders = new EmbeddedFolders();
  before(() => folders.open());
  after(() => folders.close());

  test('after kill -9 of the server every committed row is there and its PostgreSQL is replaced', async () => {
    const directory = await folders.existing();
    const server = spawnServer(directory, 'durable');
    await server.printed(/^20$/m);
    const formerPid = await postmasterPid(directory);
    server.kill();
    const committed = Number(await server.lastLine());
    const { target } = await folders.start(directory, { durable: true });
    const counts = await query(target, `select count(*) from numbers where number <= ${committed}`);
    assert.deepEqual(counts, [{ count: committed }]);
    assert.notEqual(await postmasterPid(directory), formerPid);
  });

  test('after kill -9 of the server and of PostgreSQL every committed row is there', async () => {
    const directory = await folders.existing();
    const server = spawnServer(directory, 'durable');
    await server.printed(/^20$/m);
    process.kill(await postmasterPid(directory), 'SIGKILL');
    server.kill();
    const committed = Number(await server.lastLine());
    const { target } = await folders.start(directory, { durable: true });
    const counts = await query(target, `select count(*) from numbers where number <= ${committed}`);
    assert.deepEqual(counts, [{ count: committed }]);
  });

  test('after kill -9 the server starts again even if the clock was set back meanwhile', async () => {
    const directory = await folders.existing();
    const server = spawnServer(directory);
    await server.printed(/^20$/m);
    server.kill();
    const committed = Number(await server.lastLine());
    const file = path.join(directory, 'postgres/postmaster.pid');
    const lines = (await readFile(file, 'utf8')).split('\n');
    lines[2] = String(Number(lines[2]) + 3600);
    await writeFile(file, lines.join('\n'));
    const { target } = await folders.start(directory);
    const counts = await query(target, `select count(*) from numbers where number <= ${committed}`);
    assert.deepEqual(counts, [{ count: committed }]);
  });

  test('a second server is rejected with one sentence, and the first keeps running', async () => {
    const directory = await folders.existing();
    const { target } = await folders.start(directory);
    await assert.rejects(startEmbeddedPostgres({ directory, durable: false }), {
      name: 'DataFolderError',
      message: `The data folder ${directory} is in use by another Postil server (process ${process.pid}).`,
    });
    assert.match(await spawnServer(directory).lastLine(), /^DataFolderError: .* another Postil server/);
    assert.equal((await query(target, 'select 1')).length, 1);
  });

  test('of several servers that start on an empty folder at once, one wins', async () => {
    const directory = await folders.absent();
    const servers = [1, 2, 3].map(() => spawnServer(directory));
    await Promise.all(servers.map((server) => server.printed(/Error|^5$/m)));
    for (const server of servers) server.kill();
    const lines = await Promise.all(servers.map((server) => server.lastLine()));
    assert.equal(lines.filter((line) => /^\d+$/.test(line)).length, 1, lines.join('\n'));
    assert.equal(lines.filter((line) => /^DataFolderError/.test(line)).length, 2, lines.join('\n'));
    await folders.start(directory); // stops the winner's PostgreSQL
  });

  test('a pid file that names an unrelated running process is no obstacle', async () => {
    const directory = await folders.existing();
    const stale = `${process.pid}\n/gone\n1\n5432\n.\n\n 1 1\nready\n`;
    await writeFile(path.join(directory, 'postgres/postmaster.pid'), stale);
    const { target } = await folders.start(directory);
    assert.equal((await query(target, 'select 1')).length, 1);
  });

  test('a server that ends without stopping its PostgreSQL leaves none behind', async () => {
    const directory = await folders.existing();
    await spawnServer(directory, 'forget').lastLine();
    const isRunning = () => postmasterPid(directory).catch(() => undefined);
    while ((await isRunning()) !== undefined) await sleep(20);
  });

  test('an unexpected exit of PostgreSQL is detected', async () => {
    const directory = await folders.existing();
    const postgres = await folders.start(directory);
    process.kill(await postmasterPid(directory), 'SIGKILL');
    assert.match((await postgres.exited) ?? '', /^PostgreSQL ended unexpectedly/);
    const again = await folders.start(directory);
    assert.equal((await query(again.target, 'select 1')).length, 1);
  });

  test('the folder stays locked when PostgreSQL restarts after a crash of one of its processes', async () => {
    const directory = await folders.existing();
    const { target } = await folders.start(directory);
    const { sql, close } = openDatabase(target, { maxConnections: 2, ...patience });
    const [backend] = await sql`select pg_backend_pid() as pid`;
    process.kill(backend?.pid, 'SIGKILL');
    const locks = async () =>
      await sql`select 1 from pg_locks where locktype = 'advisory' and granted`.catch(() => []);
    while ((await locks()).length === 0) await sleep(20);
    await close();
    await assert.rejects(startEmbeddedPostgres({ directory, durable: false }), /in use by another/);
  });
});
