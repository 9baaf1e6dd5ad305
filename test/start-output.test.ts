import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { backgroundIndexes } from '../src/db/schema/indexes/background-indexes.ts';
import { findReadyIndexes } from '../src/db/schema/indexes/build-indexes.ts';
import { childEnvironment } from './child-environment.ts';
import { createTestDatabase, urlOf } from './postgres.ts';
import { removeFolder } from './remove-folder.ts';

const main = path.join(import.meta.dirname, '../src/main.ts');
const folder = await mkdtemp(path.join(tmpdir(), 'postil-start-'));
after(() => removeFolder(folder));

/** Starts a server as in a terminal, with both outputs combined. */
function start(databaseUrl: string, given: readonly string[] = []) {
  const child = spawn('/bin/sh', ['-c', 'exec "$0" "$@" 2>&1', process.execPath, main, ...given], {
    env: {
      ...childEnvironment,
      POSTIL_PORT: '0',
      POSTIL_LOG_LEVEL: 'info',
      POSTIL_DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
    },
  });
  const ended = once(child, 'close');
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  return {
    text: () => text,
    async printed(awaited: RegExp): Promise<void> {
      while (!awaited.test(text)) {
        assert.equal(child.exitCode, null, text);
        await sleep(20);
      }
    },
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      await ended;
    },
    /** Waits until it has ended, and returns its exit code. */
    async ended(): Promise<number | null> {
      await ended;
      return child.exitCode;
    },
  };
}

test('the address and the link of the first admin are printed last and separately, after the parts still being prepared', async () => {
  const own = await createTestDatabase();
  after(() => own.drop());
  for (const { name } of backgroundIndexes) await own.database.sql.unsafe(`drop index ${name}`);
  const server = start(urlOf(own.target));
  await server.printed(/welcome#\S+\n/);
  const { length } = backgroundIndexes;
  while ((await findReadyIndexes(own.database.sql, backgroundIndexes)).size < length) await sleep(20);
  await server.stop();
  assert.match(
    server.text(),
    new RegExp(
      `\\nStill being prepared: ([^\\n]+; )?${length} indexes of the database\\. The API works already\\.\\n` +
        '\\nPostil is ready at http://127\\.0\\.0\\.1:\\d+ \\(operator token: \\S+, API reference: \\S+\\)\\n' +
        '\\nThere is no admin yet\\. This link works once, for 24 hours:\\nhttp://127\\.0\\.0\\.1:\\d+/welcome#\\S+\\n' +
        '{[^\\n]*"msg":"stopped"}\\n$',
    ),
  );
  const again = start(urlOf(own.target));
  await again.printed(/welcome#\S+\n/);
  await again.stop();
  assert.doesNotMatch(again.text(), /indexes of the database/);
});

test('an argument stops the start, since the server takes none, and names the variable for the port', async () => {
  const server = start('postgres://nobody@127.0.0.1:9/nothing', ['--port', '9000']);
  assert.equal(await server.ended(), 2);
  assert.match(
    server.text(),
    /^Unknown argument --port: the server takes none\. [^\n]*POSTIL_PORT for its port[^\n]*\n$/,
  );
});

test('a start that takes more than three seconds prints what it is waiting for', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const server = start(`postgres://nobody@127.0.0.1:${port}/nothing`);
  await server.printed(/"seconds":\d+,"msg":"still starting: [^"]*database/);
  await server.stop();
  silent.close();
});

/** A port on which a test database becomes available later. */
async function laterPlaceOf({ target }: Awaited<ReturnType<typeof createTestDatabase>>) {
  assert.ok('socketDirectory' in target);
  const { socketDirectory, port: number, user, database } = target;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const behind = connect(`${socketDirectory}/.s.PGSQL.${number}`);
    for (const [from, to] of [
      [client, behind],
      [behind, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {}).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  await new Promise((resolve) => server.close(resolve));
  return {
    url: (name = database) => `postgres://${user}@127.0.0.1:${port}/${name}`,
    appear: () => listen(port),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('a start waits for an unavailable database, and says so; a stop ends the wait', async () => {
  const own = await createTestDatabase();
  after(() => own.drop());
  const place = await laterPlaceOf(own);
  after(place.close);
  const waiting = /"msg":"Waiting for the database, for 300 s at most: [^"]*ECONNREFUSED 127\.0\.0\.1/;
  const stopped = start(place.url());
  await stopped.printed(waiting);
  await stopped.stop();
  assert.equal(await stopped.ended(), 0, stopped.text());

  const server = start(place.url());
  await server.printed(waiting);
  await server.printed(/"seconds":\d+,"msg":"still starting: Waiting for the database/);
  await place.appear();
  await server.printed(/"msg":"The database is there\."/);
  await server.printed(/Postil is ready at/);
  await server.stop();

  // An error that waiting does not fix ends the start at once.
  const wrong = start(place.url('nothing'));
  assert.equal(await wrong.ended(), 1);
  assert.match(wrong.text(), /The database in DATABASE_URL does not exist; create it first\n$/);
  assert.doesNotMatch(wrong.text(), /Waiting/);
});
