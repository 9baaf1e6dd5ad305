import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { backgroundIndexes } from '../src/db/schema/indexes/background-indexes.ts';
import { findReadyIndexes } from '../src/db/schema/indexes/build-indexes.ts';
import { childEnvironment } from './child-environment.ts';
import { createTestDatabase, urlOf } from './postgres.ts';

const main = path.join(import.meta.dirname, '../src/main.ts');
const folder = await mkdtemp(path.join(tmpdir(), 'postil-start-'));
after(() => rm(folder, { recursive: true, force: true }));

/** Starts a server as in a terminal: both outputs in one, as they come. */
function start(databaseUrl: string) {
  const child = spawn('/bin/sh', ['-c', 'exec "$0" "$1" 2>&1', process.execPath, main], {
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
  };
}

test('the address and the link of the first admin stand last and apart, after what is still being prepared', async () => {
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

test('a start that takes more than three seconds says what it is waiting for', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const server = start(`postgres://nobody@127.0.0.1:${port}/nothing`);
  await server.printed(/"seconds":\d+,"msg":"still starting: the database is starting"/);
  await server.stop();
  silent.close();
});
