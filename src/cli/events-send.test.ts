import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

const folder = await mkdtemp(path.join(tmpdir(), 'postil-send-'));
after(() => rm(folder, { recursive: true, force: true }));

test('events send tells that a lost connection may have stored a part, and that sending again is safe', async () => {
  const server = createServer((request) => {
    request.once('data', () => request.socket.resetAndDestroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const file = path.join(folder, 'events.ndjson');
  await writeFile(file, `${'{}\n'.repeat(2_000_000)}`);
  const env = {
    PATH: process.env.PATH,
    POSTIL_URL: `http://127.0.0.1:${port}`,
    POSTIL_OPERATOR_TOKEN: 'operator-token-of-the-tests',
  };
  const command = [path.join(import.meta.dirname, 'main.ts'), 'events', 'send', file];
  const { code, err } = await new Promise<{ code: unknown; err: string }>((resolve) => {
    execFile(process.execPath, command, { env }, (error, _out, text) =>
      resolve({ code: error?.code, err: text }),
    );
  });
  server.close();
  assert.equal(code, 1);
  assert.match(err, /was lost \((ECONNRESET|EPIPE)\); some events may be stored/);
  assert.match(err, /Sending the file again is safe/);
});
