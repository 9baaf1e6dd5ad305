import assert from 'node:assert/strict';
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, urlOf } from './postgres.ts';
import { removeFolder } from './remove-folder.ts';

const root = path.dirname(import.meta.dirname);
const main = path.join(root, 'src/main.ts');
const cli = path.join(root, 'src/cli/main.ts');
const home = await mkdtemp(path.join(tmpdir(), 'postil-interruption-'));
const running = new Map<ChildProcess, Promise<unknown>>();
after(async () => {
  for (const child of running.keys()) child.kill('SIGKILL');
  await Promise.all(running.values());
  await removeFolder(home);
});

/** Starts a program on a data folder; `text` is what it has written to both outputs. */
function launch(command: readonly string[], variables: Record<string, string>, options: SpawnOptions = {}) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('POSTIL_') && name !== 'DATABASE_URL',
  );
  const [program, ...given] = command;
  const child = spawn(program!, given, {
    cwd: root,
    env: { ...Object.fromEntries(inherited), POSTIL_PORT: '0', POSTIL_LOG_LEVEL: 'silent', ...variables },
    ...options,
  });
  const ended = once(child, 'close');
  running.set(child, ended);
  let text = '';
  const collect = (chunk: Buffer) => {
    text += chunk;
  };
  child.stdout!.on('data', collect);
  child.stderr!.on('data', collect);
  return {
    child,
    get text() {
      return text;
    },
    /** Waits for a text in the output. */
    async printed(awaited: RegExp): Promise<string> {
      for (;;) {
        const match = awaited.exec(text);
        if (match !== null) return match[1] ?? match[0];
        assert.equal(child.exitCode ?? child.signalCode, null, `ended without ${awaited}: ${text}`);
        await sleep(20);
      }
    },
    async exitCode(): Promise<number | null> {
      await ended;
      running.delete(child);
      return child.exitCode;
    },
  };
}

const startServer = (folder: string) => launch([process.execPath, main], { POSTIL_DATA_DIR: folder });

async function newFolder(): Promise<string> {
  return path.join(await mkdtemp(path.join(home, 'case-')), 'data');
}

test('Ctrl-C that arrives from the terminal and again from npm stops the server cleanly', async () => {
  const folder = await newFolder();
  const npm = launch(['npm', 'start'], { POSTIL_DATA_DIR: folder }, { detached: true });
  await npm.printed(/ready at/);
  assert.ok((await readdir(folder)).includes('server-address'));
  process.kill(-npm.child.pid!, 'SIGINT');
  await npm.exitCode();
  const names = await readdir(folder);
  assert.ok(!names.includes('server-address'), names.join());
  assert.ok(!(await readdir(path.join(folder, 'postgres'))).includes('postmaster.pid'));

  const server = startServer(folder);
  await server.printed(/ready at/);
  server.child.kill('SIGINT');
  await sleep(30);
  server.child.kill('SIGINT');
  assert.equal(await server.exitCode(), 0);
  assert.ok(!(await readdir(folder)).includes('server-address'));
});

async function isListening(port: number): Promise<boolean> {
  const probe = connect(port, '127.0.0.1');
  return once(probe, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => probe.destroy());
}

test('a second Ctrl-C later does not wait for a request that never ends', async () => {
  const folder = await newFolder();
  const server = startServer(folder);
  const port = await server.printed(/ready at http:\S+:(\d+)/);
  const token = (await readFile(path.join(folder, 'operator-token'), 'utf8')).trim();
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  socket.write(
    `POST /operator/v1/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/x-ndjson\r\ncontent-length: 900\r\nexpect: 100-continue\r\n\r\n`,
  );
  const [begun] = await once(socket, 'data');
  assert.match(String(begun), /^HTTP\/1\.1 100 /);
  server.child.kill('SIGINT');
  while (await isListening(Number(port))) await sleep(20);
  // Longer than the time in which a second signal counts as a duplicate of the first.
  await sleep(1_500);
  assert.equal(server.child.exitCode, null, 'the request is given time');
  server.child.kill('SIGINT');
  assert.equal(await server.exitCode(), 130);
  assert.ok(!(await readdir(folder)).includes('server-address'));
});

test('an interrupted first start leaves no partial files behind', async () => {
  const folder = await newFolder();
  const names = () => readdir(folder).catch((): string[] => []);
  const server = startServer(folder);
  const isCreating = (name: string) => name.startsWith('postgres.new-');
  while (!(await names()).some(isCreating)) {
    assert.equal(server.child.exitCode, null, server.text);
    await sleep(5);
  }
  await sleep(100);
  server.child.kill('SIGINT');
  assert.equal(await server.exitCode(), 0);
  await sleep(500); // it is not created again either
  assert.deepEqual((await names()).filter(isCreating), []);
  assert.equal(server.text, '');

  const again = startServer(folder);
  await again.printed(/ready at/);
  again.child.kill('SIGTERM');
  assert.equal(await again.exitCode(), 0);
});

test('an interrupted backup leaves no partial file behind', async (context) => {
  const { database, target, drop } = await createTestDatabase();
  context.after(drop);
  const url = urlOf(target);
  const folder = path.dirname(await newFolder());
  await database.transaction(async (tx) => {
    await tx`lock table organizations in access exclusive mode`;
    const command = [process.execPath, cli, 'backup', path.join(folder, 'all.backup')];
    const backup = launch(command, { POSTIL_DATA_DIR: folder, DATABASE_URL: url });
    while (!(await readdir(folder)).includes('all.backup.partial')) {
      assert.equal(backup.child.exitCode, null, backup.text);
      await sleep(10);
    }
    backup.child.kill('SIGINT');
    assert.equal(await backup.exitCode(), 130);
    assert.deepEqual(await readdir(folder), []);
  });
});

const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

test('Ctrl-C during a progress bar restores the cursor of the terminal', {
  skip: !hasTerminal && 'needs the program script of util-linux',
}, async (context) => {
  const silent = createServer((request) => request.resume()).listen(0, '127.0.0.1');
  context.after(() => silent.close().closeAllConnections());
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const events = path.join(home, 'events.ndjson');
  await writeFile(events, '{}\n'.repeat(1000));
  const command = `'${process.execPath}' '${cli}' events send '${events}'`;
  const sending = launch(['script', '-qec', command, '/dev/null'], {
    POSTIL_DATA_DIR: home,
    POSTIL_URL: `http://127.0.0.1:${port}`,
    POSTIL_OPERATOR_TOKEN: 'a-token-for-nobody',
  });
  await sending.printed(/100%/);
  assert.ok(sending.text.includes('\x1b[?25l'), 'the cursor is hidden');
  sending.child.stdin!.write('\x03');
  assert.equal(await sending.exitCode(), 130);
  assert.ok(sending.text.lastIndexOf('\x1b[?25h') > sending.text.lastIndexOf('\x1b[?25l'), 'and shown again');
});
