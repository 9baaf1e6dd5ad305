import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeFolder } from './remove-folder.ts';

const main = path.join(import.meta.dirname, '../src/main.ts');
const cli = path.join(import.meta.dirname, '../src/cli/main.ts');
const folder = await mkdtemp(path.join(tmpdir(), 'postil-process-'));
const servers = new Map<ChildProcess, Promise<unknown>>();
after(async () => {
  for (const child of servers.keys()) child.kill('SIGTERM');
  await Promise.all(servers.values());
  await removeFolder(folder);
});

function environment(variables: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('POSTIL_') && name !== 'DATABASE_URL',
  );
  return { ...Object.fromEntries(inherited), POSTIL_PORT: '0', POSTIL_DATA_DIR: folder, ...variables };
}

async function run(script: string, args: string[], variables: Record<string, string> = {}) {
  const child = spawn(process.execPath, [script, ...args], { env: environment(variables) });
  const [out, err] = await Promise.all([child.stdout.toArray(), child.stderr.toArray(), once(child, 'exit')]);
  return { code: child.exitCode, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
}

/** Starts a server and waits for the line with its address. */
async function start(variables: Record<string, string> = {}) {
  const child = spawn(process.execPath, [main], {
    env: environment({ POSTIL_LOG_LEVEL: 'silent', ...variables }),
  });
  const ended = once(child, 'close');
  servers.set(child, ended);
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  while (!/ready at .*\n/.test(out) && child.exitCode === null)
    await Promise.race([once(child.stdout, 'data'), ended]);
  const address = /ready at (http:\S+)/.exec(out)?.[1];
  assert.ok(address, `no address in: ${out}`);
  const token = (
    await readFile(path.join(variables.POSTIL_DATA_DIR ?? folder, 'operator-token'), 'utf8')
  ).trim();
  const put = (document: unknown) =>
    fetch(`${address}/operator/v1/platform`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(document),
    });
  const get = async () =>
    (
      await fetch(`${address}/operator/v1/platform`, { headers: { authorization: `Bearer ${token}` } })
    ).json() as Promise<{ workspaces: { slug: string }[] }>;
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
    servers.delete(child);
    return child.exitCode;
  };
  return { address, token, put, get, stop, printed: () => out };
}

interface Started {
  readonly address: string;
  readonly token: string;
}

/** Sends the head of a request and waits until the server has asked for the body. */
async function beginRequest(
  { address, token }: Started,
  method: string,
  at: string,
  type: string,
  length: number,
) {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  const call = { socket, answers: '' };
  socket.on('data', (data) => {
    call.answers += data;
  });
  socket.write(
    `${method} ${at} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\nexpect: 100-continue\r\n\r\n`,
  );
  while (!call.answers.endsWith('\r\n\r\n')) await once(socket, 'data');
  assert.match(call.answers, /^HTTP\/1\.1 100 /);
  call.answers = '';
  return call;
}

/** Waits until a server that is stopping takes no more connections. */
async function untilRefused({ address }: Started): Promise<void> {
  for (let isRefused = false; !isRefused; ) {
    await sleep(20);
    const probe = connect(Number(new URL(address).port), '127.0.0.1');
    isRefused = await once(probe, 'connect').then(
      () => false,
      () => true,
    );
    probe.destroy();
  }
}

test('the server creates a token that only its owner can read, responds, and on SIGTERM logs that it has stopped and exits with 0', async () => {
  const server = await start({ POSTIL_LOG_LEVEL: 'info' });
  assert.equal((await stat(path.join(folder, 'operator-token'))).mode & 0o777, 0o600);
  assert.equal((await fetch(`${server.address}/ready`)).status, 200);
  assert.equal((await server.put({ workspaces: [{ slug: 'first' }] })).status, 200);
  assert.doesNotMatch(server.printed(), /"msg":"stopped"/);
  assert.equal(await server.stop('SIGTERM'), 0);
  assert.match(server.printed(), /"msg":"stopped"}\n$/);
});

test('a request in flight is completed when the server is asked to stop', async () => {
  const server = await start();
  const body = JSON.stringify({ workspaces: [{ slug: 'in-flight' }] });
  const call = await beginRequest(server, 'PUT', '/operator/v1/platform', 'application/json', body.length);
  const stopped = server.stop('SIGTERM');
  await untilRefused(server);
  call.socket.write(body);
  await once(call.socket, 'close');
  assert.match(call.answers, /^HTTP\/1\.1 200 /);
  assert.equal(await stopped, 0);
});

test('a request that arrives on an open connection while the server stops is answered like any other', async () => {
  const server = await start();
  const type = 'application/cloudevents-batch+json';
  const call = await beginRequest(server, 'POST', '/operator/v1/events', type, 2);
  call.socket.write('[');
  const stopped = server.stop('SIGTERM');
  await untilRefused(server);
  call.socket.write(']GET /v1/organizations HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(call.socket, 'close');
  const [first, second] = call.answers.split(/(?=HTTP\/1\.1 )/);
  assert.match(first!, /^HTTP\/1\.1 200 [\s\S]*"accepted":0/);
  assert.match(second!, /^HTTP\/1\.1 401 /);
  assert.match(second!, /x-request-id: /i);
  assert.match(second!, /"code":"UNAUTHORIZED"/);
  assert.equal(await stopped, 0);
});

test('idle connections and incomplete requests do not keep the server from stopping', async () => {
  const server = await start();
  const { port } = new URL(server.address);
  const silent = connect(Number(port), '127.0.0.1').on('error', () => {});
  const halfway = connect(Number(port), '127.0.0.1').on('error', () => {});
  await Promise.all([once(silent, 'connect'), once(halfway, 'connect')]);
  halfway.write('GET /health HTTP/1.1\r\nhost: x\r\n');
  assert.equal((await fetch(`${server.address}/health`)).status, 200);
  assert.equal(await server.stop('SIGTERM'), 0);
});

test('the server keeps running when the reader of its output has gone', async () => {
  const place = path.join(folder, 'server-address');
  assert.ok(!existsSync(place), 'the server before has taken its address with it');
  const child = spawn(process.execPath, [main], { env: environment({}) });
  const ended = once(child, 'exit');
  servers.set(child, ended);
  child.stdout.destroy();
  child.stderr.destroy();
  while (!existsSync(place) && child.exitCode === null) await sleep(100);
  // Long enough for the output that follows the address.
  await sleep(1_000);
  const answer = await fetch(`${(await readFile(place, 'utf8')).trim()}/health`);
  assert.equal(answer.status, 200);
  child.kill('SIGTERM');
  await ended;
  servers.delete(child);
  assert.equal(child.exitCode, 0);
});

test('every acknowledged write survives kill -9', async () => {
  const acknowledged = new Set<string>();
  for (let round = 0; round < 2; round += 1) {
    const server = await start();
    let isAlive = true;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let serial = 0; isAlive; serial += 1) {
        const slug = `r${round}-w${writer}-${serial}`;
        const response = await server.put({ workspaces: [{ slug }] }).catch(() => undefined);
        if (response?.status === 200 && (await response.text().catch(() => ''))) acknowledged.add(slug);
      }
    });
    // Enough that some writes are certainly in progress, even on a busy machine.
    while (acknowledged.size < 8 * (round + 1)) await sleep(20);
    const ended = server.stop('SIGKILL');
    isAlive = false;
    await Promise.all([ended, ...writers]);
  }
  assert.ok(acknowledged.size > 10, `${acknowledged.size} writes`);
  const server = await start();
  const kept = new Set((await server.get()).workspaces.map(({ slug }) => slug));
  for (const slug of acknowledged) assert.ok(kept.has(slug), `${slug} was acknowledged and is lost`);

  const second = await run(main, []);
  assert.equal(second.code, 1);
  assert.match(second.err, /^[^\n]*(in use|another|already)[^\n]*\n$/i, second.err);
  assert.equal(await server.stop('SIGTERM'), 0);
});

test('while the embedded database is down, requests get 503 with Retry-After, and it recovers without a restart', async () => {
  const server = await start();
  const pidNow = async () =>
    Number(
      (await readFile(path.join(folder, 'postgres/postmaster.pid'), 'utf8').catch(() => '')).split(
        '\n',
        1,
      )[0],
    );
  const seen = new Set<number>();
  const put = () => server.put({ workspaces: [{ slug: 'after-the-fall' }] });
  let answer: Response;
  do {
    const pid = await pidNow();
    if (pid > 0) process.kill(pid, 'SIGKILL');
    // A session may outlive the killed server for a moment, and the server may be restarted before the next request.
    do answer = await put();
    while (answer.status === 200 && (await pidNow()) === pid);
  } while (answer.status === 200);
  while (answer.status !== 200) {
    seen.add(answer.status);
    assert.ok(Number(answer.headers.get('retry-after')) >= 1);
    assert.equal(((await answer.json()) as { error: { code: string } }).error.code, 'SERVICE_UNAVAILABLE');
    assert.equal((await fetch(`${server.address}/health`)).status, 200);
    await sleep(100);
    answer = await put();
  }
  assert.deepEqual([...seen], [503]);
  assert.equal((await fetch(`${server.address}/ready`)).status, 200);
  assert.equal(await server.stop('SIGTERM'), 0);
});

test('all errors in the settings are reported at once, with a non-zero exit', async () => {
  const { code, err } = await run(main, [], {
    POSTIL_PORT: 'eighty',
    POSTIL_METRICS_PER_MINUTE: '0',
    DATABASE_URL: 'mysql://x',
    POSTIL_LOG_LEVEL: 'loud',
    POSTIL_EMBEDDINGS_URL: 'ftp://x',
    POSTIL_OPERATOR_TOKEN: 'short',
    POSTIL_API_KEY_HEADER_ALIASES: 'a b',
  });
  assert.equal(code, 1);
  for (const name of [
    'POSTIL_PORT',
    'POSTIL_METRICS_PER_MINUTE',
    'DATABASE_URL',
    'POSTIL_LOG_LEVEL',
    'POSTIL_EMBEDDINGS_URL',
    'POSTIL_OPERATOR_TOKEN',
    'POSTIL_API_KEY_HEADER_ALIASES',
  ]) {
    assert.match(err, new RegExp(`${name}: `));
  }
  assert.doesNotMatch(err, /short|at .*\.ts/);
});

test('a port in use and an unreachable database are reported in one sentence', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as { port: number };
  const busy = await run(main, [], { POSTIL_PORT: String(port) });
  blocker.close();
  assert.equal(busy.code, 1);
  assert.match(busy.err, /^Port \d+ is already in use[^\n]*\n$/);
  const away = await run(main, [], {
    DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/nothing`,
    POSTIL_DATABASE_WAIT_SECONDS: '0',
  });
  assert.equal(away.code, 1);
  assert.match(away.err, /^[^\n]*database[^\n]*\n$/);
});

test('a data folder that cannot be used is reported in one sentence, wherever the database is', async () => {
  const place = { POSTIL_DATA_DIR: path.join(import.meta.filename, 'data') };
  const sentence = /^The data folder \S+ cannot be used: part of its path is a file\.\n$/;
  for (const variables of [place, { ...place, DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing' }]) {
    const { code, err } = await run(main, [], variables);
    assert.equal(code, 1);
    assert.match(err, sentence);
  }
  assert.match((await run(cli, ['restore', import.meta.filename], place)).err, sentence);
});

test('the command line finds the server of its data folder, and signals success or failure by its exit status', async () => {
  const document = path.join(folder, 'platform.yaml');
  await writeFile(document, 'workspaces:\n  - slug: by-hand\n    admins: [root@acme.test]\n');
  const without = await run(cli, ['apply', document]);
  assert.equal(without.code, 1);
  assert.match(without.err, /npm start/);

  const server = await start();
  const applied = await run(cli, ['apply', document]);
  assert.deepEqual([applied.code, applied.err], [0, '']);
  assert.match(applied.out, /workspaces +1 +0 +0/);
  assert.match((await run(cli, ['export'])).out, /slug: by-hand/);

  await writeFile(document, 'workspaces:\n  - slug: Not Good\n    colour: red\n');
  const refused = await run(cli, ['apply', document]);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /workspaces\[0\]\.slug/);
  assert.match(refused.err, /workspaces\[0\]\.colour/);

  const created = await run(cli, [
    'keys',
    'create',
    '--kind',
    'workspace',
    '--name',
    'bi',
    '--workspace',
    'by-hand',
    '--owner',
    'root@acme.test',
    '--expires',
    '1d',
  ]);
  assert.match(created.out, /^pst_w_\w+\n$/);
  const key = created.out.trim();
  assert.equal(
    (await fetch(`${server.address}/v1/me`, { headers: { 'x-service-api-key': key } })).status,
    200,
  );
  const [listed] = JSON.parse((await run(cli, ['keys', 'list', '--json'])).out);
  assert.equal((await run(cli, ['keys', 'revoke', listed.id])).code, 0);
  assert.equal(
    (await fetch(`${server.address}/v1/me`, { headers: { 'x-service-api-key': key } })).status,
    401,
  );

  const verified = await run(cli, ['audit', 'verify']);
  assert.equal(verified.code, 0);
  assert.match(verified.out, /^\d+ entr(y|ies) in \d+ chains?, all intact\n$/);
  const exported = await run(cli, ['audit', 'export', '--since', inDays(-1)]);
  const lines = exported.out.trimEnd().split('\n');
  assert.ok(lines.some((line) => JSON.parse(line).action === 'api_key.revoked'));

  const events = path.join(folder, 'events.ndjson');
  await writeFile(events, '{"broken"\n');
  const sent = await run(cli, ['events', 'send', events]);
  assert.equal(sent.code, 1);
  assert.match(sent.out, /accepted 0, duplicate 0, failed 1/);

  const healthy = await run(cli, ['doctor']);
  assert.equal(healthy.code, 0, healthy.out + healthy.err);
  const file = path.join(folder, 'all.backup');
  assert.match((await run(cli, ['backup', file])).out, /rows written/);
  assert.equal((await run(cli, ['backup', file])).code, 1, 'a backup is never overwritten');
  assert.match((await run(cli, ['restore', file])).err, /stop it first/);
  assert.equal(await server.stop('SIGTERM'), 0);
  assert.match((await run(cli, ['restore', file])).err, /^[^\n]+\n$/);

  const elsewhere = { POSTIL_DATA_DIR: path.join(folder, 'elsewhere') };
  assert.match((await run(cli, ['restore', file], elsewhere)).out, /rows restored/);
  const restored = await start(elsewhere);
  assert.match((await run(cli, ['export'], elsewhere)).out, /slug: by-hand/);
  assert.equal(await restored.stop('SIGTERM'), 0);
  assert.equal((await run(cli, ['doctor'])).code, 1);
  assert.equal((await run(cli, ['nonsense'])).code, 2);
  assert.equal((await run(cli, ['--help'])).code, 0);
});

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
