import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { childEnvironment } from './child-environment.ts';
import { removeFolder } from './remove-folder.ts';

const main = path.join(import.meta.dirname, '../src/main.ts');
const cli = path.join(import.meta.dirname, '../src/cli/main.ts');
const token = 'pot_token-that-nobody-else-may-see';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'postil-token-'));
});
afterEach(() => removeFolder(folder));

async function leave(name: string, text: string, mode = 0o600): Promise<void> {
  await writeFile(path.join(folder, name), text);
  await chmod(path.join(folder, name), mode);
}

async function run(script: string, args: string[], variables: Record<string, string> = {}) {
  const env = { ...childEnvironment, POSTIL_DATA_DIR: folder, POSTIL_PORT: '0', ...variables };
  const child = spawn(process.execPath, [script, ...args], { env });
  const [out, err] = await Promise.all([child.stdout.toArray(), child.stderr.toArray(), once(child, 'exit')]);
  return { code: child.exitCode, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
}

describe('a server does not start', () => {
  test('with an operator token that is empty or too short, and reports it together with all other errors', async () => {
    for (const text of ['', 'x\n']) {
      await leave('operator-token', text);
      const { code, out, err } = await run(main, [], { POSTIL_PORT: 'eighty', POSTIL_LOG_LEVEL: 'loud' });
      assert.deepEqual([code, out], [1, ''], err);
      assert.match(err, /^The settings are invalid:\n/);
      for (const name of ['POSTIL_PORT: ', 'POSTIL_LOG_LEVEL: ', 'operator-token .*16 characters'])
        assert.match(err, new RegExp(name));
      assert.doesNotMatch(err, /at .*\.ts/);
      assert.deepEqual(await readdir(folder), ['operator-token'], 'nothing was begun');
    }
  });

  test('with such a token in the environment', async () => {
    for (const POSTIL_OPERATOR_TOKEN of ['', ' '.repeat(20)]) {
      const { code, err } = await run(main, [], { POSTIL_OPERATOR_TOKEN });
      assert.equal(code, 1);
      assert.match(err, /^The settings are invalid:\n {2}POSTIL_OPERATOR_TOKEN: [^\n]+\n$/);
      assert.deepEqual(await readdir(folder), []);
    }
  });
});

describe('the command line', () => {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(String(request.headers.authorization));
    response.setHeader('content-type', 'application/json').end('{"keys":[],"next_cursor":null}');
  }).listen(0, '127.0.0.1');
  after(() => server.close());
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  beforeEach(async () => {
    received.length = 0;
    await leave('operator-token', `${token}\n`);
  });

  test('sends the operator token to the address left by the server', async () => {
    await leave('server-address', `${url()}\n`);
    assert.deepEqual(await run(cli, ['keys', 'list', '--json']), { code: 0, out: '[]\n', err: '' });
    assert.deepEqual(received, [`Bearer ${token}`]);
  });

  test('never sends it to an address that someone else could have put there', async () => {
    const refused = async (what: string, variables: Record<string, string> = {}) => {
      const { code, out, err } = await run(cli, ['keys', 'list'], variables);
      assert.deepEqual([code, out, received], [1, '', []], what);
      assert.match(err, /^[^\n]*server-address[^\n]*POSTIL_URL[^\n]*\n$/, what);
    };
    await leave('server-address', `${url()}\n`, 0o666);
    await refused('changed by anybody');
    await leave('server-address', `${url()}\n`, 0o644);
    await refused('not as the server leaves it', { POSTIL_OPERATOR_TOKEN: token });
    await leave('server-address', url().replace('127.0.0.1', 'localhost.evil.test'));
    await refused('another host');
    await rm(path.join(folder, 'server-address'));
    await leave('elsewhere', url());
    await symlink('elsewhere', path.join(folder, 'server-address'));
    await refused('a link');
  });

  test('reports the fault of an invalid token', async () => {
    await leave('server-address', url());
    await leave('operator-token', '');
    const { code, err } = await run(cli, ['keys', 'list']);
    assert.deepEqual([code, received], [1, []]);
    assert.match(err, /^[^\n]*operator-token[^\n]*16 characters[^\n]*\n$/);
  });
});
