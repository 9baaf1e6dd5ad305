import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { runCommand, startFakeServer } from '../../test/command-line.ts';
import { operatorToken, startTestApp } from '../../test/harness.ts';

const home = await mkdtemp(path.join(tmpdir(), 'postil-doctor-'));
after(() => rm(home, { recursive: true, force: true }));

const server = await startTestApp();
await server.app.server.listen({ host: '127.0.0.1', port: 0 });
const { port } = server.app.server.server.address() as { port: number };
const remoteServer = { POSTIL_URL: `http://127.0.0.1:${port}`, POSTIL_OPERATOR_TOKEN: operatorToken };

const unusedFolder = () => path.join(home, 'no-data');
const failuresIn = (out: string) => out.split('\n').filter((line) => line.startsWith('FAIL'));

test('doctor finds nothing wrong with a healthy remote server, whatever the local data folder holds', async () => {
  const { code, out, err } = await runCommand(['doctor'], {
    ...remoteServer,
    POSTIL_DATA_DIR: unusedFolder(),
  });
  assert.deepEqual([code, failuresIn(out), err], [0, [], '']);
  assert.match(out, /^ok {4}Server: ready at http/m);
  assert.match(out, /^ok {4}Operator token: accepted$/m);
  assert.match(out, /data folder .* not checked.* another installation/);
  assert.deepEqual(await readdir(home), [], 'and creates nothing');
});

test('doctor names each cause once: no installation at all', async () => {
  const { code, out, err } = await runCommand(['doctor'], { POSTIL_DATA_DIR: unusedFolder() });
  assert.equal(code, 1);
  const [failure, ...others] = failuresIn(out);
  assert.match(failure!, /^FAIL {2}Data folder: .*no-data has no database yet: start the server once$/);
  assert.deepEqual(others, []);
  assert.match(out, /^ {6}Not checked.*: .*Database, Schema, Server, Operator token/m);
  assert.equal(err, '1 check failed\n');
});

test('doctor names each cause once: an unreachable database', async () => {
  const { code, out } = await runCommand(['doctor'], {
    POSTIL_DATA_DIR: unusedFolder(),
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing',
  });
  assert.equal(code, 1);
  assert.deepEqual(
    failuresIn(out).map((line) => line.split(':')[0]),
    ['FAIL  Database'],
  );
});

test('doctor names each cause once: an unreachable remote server', async () => {
  const { code, out } = await runCommand(['doctor'], {
    POSTIL_DATA_DIR: unusedFolder(),
    POSTIL_URL: 'http://127.0.0.1:9',
    POSTIL_OPERATOR_TOKEN: operatorToken,
  });
  assert.equal(code, 1);
  assert.deepEqual(
    failuresIn(out).map((line) => line.split(':')[0]),
    ['FAIL  Server'],
  );
});

test('doctor distinguishes a wrong token from a server that is not ready', async () => {
  const { out } = await runCommand(['doctor'], {
    ...remoteServer,
    POSTIL_OPERATOR_TOKEN: 'some-other-token-0123',
  });
  assert.deepEqual(
    failuresIn(out).map((line) => line.split(':')[0]),
    ['FAIL  Operator token'],
  );
});

test('doctor reports a failing embedding model, which no request would reveal', async () => {
  const fakeServer = await startFakeServer((request, response) => {
    const isMetrics = request.url === '/metrics';
    response.setHeader('content-type', isMetrics ? 'text/plain; version=0.0.4' : 'application/json');
    response.end(isMetrics ? 'postil_embedding_failing{kind="query"} 1\n' : '{}');
  });
  const { code, out } = await runCommand(['doctor'], { ...fakeServer, POSTIL_DATA_DIR: unusedFolder() });
  assert.equal(code, 1);
  assert.match(failuresIn(out).join(), /^FAIL {2}Embeddings: .* is failing/);
});
