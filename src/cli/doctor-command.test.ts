import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { runCommand, startFakeServer } from '../../test/command-line.ts';
import { operatorToken, startTestApp } from '../../test/harness.ts';
import { removeFolder } from '../../test/remove-folder.ts';

const home = await mkdtemp(path.join(tmpdir(), 'postil-doctor-'));
after(() => removeFolder(home));

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
  const { code, out, err } = await runCommand(['doctor'], {
    POSTIL_DATA_DIR: unusedFolder(),
    POSTIL_PORT: '0',
  });
  assert.equal(code, 1);
  const [failure, ...others] = failuresIn(out);
  assert.match(
    failure!,
    /^FAIL {2}Data folder: .*no-data has no database yet: start the server once, or set POSTIL_DATA_DIR /,
  );
  assert.deepEqual(others, []);
  assert.match(out, /^ {6}Not checked.*: .*Database, Schema, Secret key, Server, Operator token/m);
  assert.equal(err, '1 check failed\n');
});

test('doctor names each cause once: an unreachable database', async () => {
  const { code, out } = await runCommand(['doctor'], {
    POSTIL_DATA_DIR: unusedFolder(),
    POSTIL_PORT: '0',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing',
  });
  assert.equal(code, 1);
  assert.deepEqual(
    failuresIn(out).map((line) => line.split(':')[0]),
    ['FAIL  Database'],
  );
});

test('doctor says who holds the port if no server of its own runs', async () => {
  const portIn = async (given: string) => {
    const { out } = await runCommand(['doctor'], { POSTIL_DATA_DIR: unusedFolder(), POSTIL_PORT: given });
    return /^\S+ +Port: .*$/m.exec(out)?.[0] ?? out;
  };
  const other = await startFakeServer((_request, response) => response.end('<html>'));
  const { port: taken } = new URL(other.POSTIL_URL);
  assert.match(
    await portIn(taken),
    new RegExp(`^FAIL  Port: ${taken} is held by another program .*not Postil.*POSTIL_PORT`),
  );
  assert.match(await portIn(`${port}`), /^FAIL {2}Port: .* by a Postil server with another data folder/);
  const mute = createServer(
    (client) =>
      void client
        .on('error', () => {})
        .resume()
        .end('220 mail\r\n'),
  ).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const { port: muted } = mute.address() as AddressInfo;
  assert.match(await portIn(`${muted}`), /^FAIL {2}Port: .* by another program/);
  await new Promise((resolve) => mute.close(resolve));
  assert.equal(await portIn(`${muted}`), `ok    Port: ${muted} is free`);
});

test('doctor reports the settings that are missing behind a pooler that refuses session settings', async () => {
  const fields = Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: jit\0\0');
  const refusal = Buffer.concat([Buffer.from('E\0\0\0\0'), fields]);
  refusal.writeInt32BE(fields.length + 4, 1);
  const pooler = createServer((client) => void client.once('data', () => client.end(refusal)));
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
  const { code, out } = await runCommand(['doctor'], {
    POSTIL_DATA_DIR: unusedFolder(),
    DATABASE_URL: `postgres://me:x7Kq93LmVt@127.0.0.1:${(pooler.address() as AddressInfo).port}/reviews`,
  });
  pooler.close();
  assert.equal(code, 1);
  assert.match(failuresIn(out).join(), /Database: A pooler refuses the setting jit: add pooling=transaction/);
  assert.doesNotMatch(out, /x7Kq93LmVt/);
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
    response.end(isMetrics ? 'postil_embedding_failing{kind="query"} 1\n' : '{"data":[],"next_cursor":null}');
  });
  const { code, out } = await runCommand(['doctor'], { ...fakeServer, POSTIL_DATA_DIR: unusedFolder() });
  assert.equal(code, 1);
  assert.match(failuresIn(out).join(), /^FAIL {2}Embeddings: .* is failing/);
});

const failing = {
  id: '019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071',
  url: 'https://git.acme.test',
  status: 'failing',
  webhook: { instructions: [] },
  health: { waiting: 2, last_error: { message: 'token is expired' } },
};

/** A healthy server, except for the given metrics and connections. */
const sound = (metrics: string, connections: unknown[] = []) =>
  startFakeServer((request, response) => {
    const isMetrics = request.url === '/metrics';
    response.setHeader('content-type', isMetrics ? 'text/plain; version=0.0.4' : 'application/json');
    const page = { data: connections, next_cursor: null };
    response.end(isMetrics ? metrics : JSON.stringify(request.url?.includes('connections') ? page : {}));
  });

test('doctor reports hosts that refuse, by connection and reason', async () => {
  const { code, out } = await runCommand(['doctor'], {
    ...(await sound('', [failing])),
    POSTIL_DATA_DIR: unusedFolder(),
  });
  assert.equal(code, 1);
  assert.deepEqual(failuresIn(out), [`FAIL  Connections: ${failing.id} (git.acme.test): token is expired`]);
});

test('doctor reports stored secrets that the server has no key for', async () => {
  const { out } = await runCommand(['doctor'], {
    ...(await sound('postil_secret_keys_missing 1\n')),
    POSTIL_DATA_DIR: unusedFolder(),
  });
  assert.match(failuresIn(out).join(), /^FAIL {2}Sealed secrets: stored secrets need 1 key that/);
});

test('doctor reports work that no worker takes, but not long backfills', async () => {
  const longAgo = Date.now() / 1000 - 7200;
  const oldest = (unit: string) =>
    `postil_work_oldest_waiting_timestamp_seconds{unit="${unit}"} ${longAgo}\npostil_work_units{unit="${unit}",state="waiting"} 3\n`;
  const run = async (unit: string) =>
    (await runCommand(['doctor'], { ...(await sound(oldest(unit))), POSTIL_DATA_DIR: unusedFolder() })).out;
  assert.match(
    failuresIn(await run('sweep-connection')).join(),
    /Queued work: .*more than an hour \(sweep-connection\)/,
  );
  assert.match(await run('backfill-repository'), /^ok {4}Queued work: 3 waiting, 0 running/m);
});

test('doctor reports replicas that the server does not read from, and how far the others lag', async () => {
  const replica = (number: number, usable: number, lag: string) =>
    `postil_replica_usable{replica="${number}"} ${usable}\npostil_replica_lag_seconds{replica="${number}"} ${lag}\n`;
  const run = async (metrics: string) =>
    (await runCommand(['doctor'], { ...(await sound(metrics)), POSTIL_DATA_DIR: unusedFolder() })).out;
  assert.match(await run(''), /^ok {4}Replicas: none$/m);
  const inOrder = replica(1, 1, '0.4') + replica(2, 1, '2.2');
  assert.match(await run(inOrder), /^ok {4}Replicas: 2 in use, at most 3 s behind$/m);
  assert.match(
    failuresIn(await run(inOrder + replica(3, 0, '+Inf'))).join(),
    /^FAIL {2}Replicas: not used: number 3 in DATABASE_REPLICA_URL/,
  );
});
