import assert from 'node:assert/strict';
import {
  chmod,
  chown,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { removeFolder } from '../test/remove-folder.ts';
import {
  ensureOperatorToken,
  readOperatorToken,
  readServerAddress,
  recordServerAddress,
} from './data-folder.ts';

let folder: string;
let umask: number;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'postil-data-'));
  umask = process.umask();
});
afterEach(async () => {
  process.umask(umask);
  await removeFolder(folder);
});

const isRoot = process.getuid?.() === 0;
const bound = { address: '127.0.0.1', port: 8787 };
const local = { host: '127.0.0.1', tokenOwner: undefined };
const file = (name: string) => path.join(folder, name);
const modeOf = async (name: string) => (await stat(file(name))).mode & 0o777;

async function leave(name: string, text: string, mode = 0o600): Promise<void> {
  await writeFile(file(name), text);
  await chmod(file(name), mode);
}

describe('the address of the server', () => {
  for (const mask of [0o000, 0o022, 0o777])
    test(`is readable by its owner only under umask ${mask.toString(8)}`, async () => {
      process.umask(mask);
      const forget = await recordServerAddress(folder, bound);
      assert.equal(await modeOf('server-address'), 0o600);
      assert.deepEqual(await readdir(folder), ['server-address'], 'nothing else is left behind');
      assert.equal(await readServerAddress(folder, local), 'http://127.0.0.1:8787');
      await forget();
      assert.deepEqual(await readdir(folder), []);
      assert.equal(await readServerAddress(folder, local), undefined);
    });

  test('is one to which this machine can connect', async () => {
    for (const [address, port, url] of [
      ['0.0.0.0', 8787, 'http://127.0.0.1:8787'],
      ['::', 8787, 'http://[::1]:8787'],
      ['::1', 8787, 'http://[::1]:8787'],
      ['127.0.0.9', 80, 'http://127.0.0.9:80'],
    ] as const) {
      await recordServerAddress(folder, { address, port });
      assert.equal(await readServerAddress(folder, local), url);
    }
  });

  test('replaces whatever exists there, without following a link', async () => {
    await leave('precious', 'keep me');
    await symlink(file('precious'), file('server-address'));
    await symlink(file('precious'), file('server-address.new'));
    await recordServerAddress(folder, bound);
    assert.equal(await readFile(file('precious'), 'utf8'), 'keep me');
    assert.equal(await readServerAddress(folder, local), 'http://127.0.0.1:8787');
  });

  test('is not read from a file that others can read or change, from a link, or from anything but a file', async () => {
    for (const mode of [0o666, 0o660, 0o644, 0o640, 0o602]) {
      await leave('server-address', 'http://127.0.0.1:8787\n', mode);
      await assert.rejects(
        readServerAddress(folder, local),
        /server-address .*POSTIL_URL/s,
        mode.toString(8),
      );
    }
    await rm(file('server-address'));
    await leave('elsewhere', 'http://127.0.0.1:8787\n');
    await symlink(file('elsewhere'), file('server-address'));
    await assert.rejects(readServerAddress(folder, local), /symbolic link/);
    await rm(file('server-address'));
    await mkdir(file('server-address'));
    await assert.rejects(readServerAddress(folder, local), /not a file/);
  });

  test('is not read from a file of another user, unless the token belongs to that user, too', {
    skip: !isRoot,
  }, async () => {
    await leave('server-address', 'http://127.0.0.1:8787\n');
    await chown(file('server-address'), 12_345, 12_345);
    await assert.rejects(readServerAddress(folder, local), /another user/);
    await chown(folder, 12_345, 12_345);
    await assert.rejects(
      readServerAddress(folder, local),
      /another user/,
      'the token is not from this folder',
    );
    assert.equal(await readServerAddress(folder, { ...local, tokenOwner: 12_345 }), 'http://127.0.0.1:8787');
  });

  test('points to this machine, or to the configured address of the server', async () => {
    for (const text of [
      'http://evil.test:8787',
      'http://203.0.113.9:8787',
      'https://127.0.0.1:8787',
      'http://127.0.0.1.evil.test:8787',
      'http://127.0.0.1:8787@evil.test',
      'http://user:pass@127.0.0.1:8787',
      'http://127.0.0.1:8787/path',
      'file:///etc/passwd',
      'nonsense',
    ]) {
      await leave('server-address', `${text}\n`);
      await assert.rejects(readServerAddress(folder, local), /POSTIL_URL/, text);
    }
    await leave('server-address', 'http://203.0.113.9:8787\n');
    assert.equal(
      await readServerAddress(folder, { ...local, host: '203.0.113.9' }),
      'http://203.0.113.9:8787',
    );
  });
});

describe('the operator token', () => {
  for (const mask of [0o000, 0o022, 0o777])
    test(`is created once, for its owner only, under umask ${mask.toString(8)}`, async () => {
      process.umask(mask);
      const [first, ...others] = await Promise.all(
        Array.from({ length: 10 }, () => ensureOperatorToken(folder, undefined)),
      );
      assert.match(first!.token, /^pot_.{43}$/);
      for (const other of others) assert.deepEqual(other, first);
      assert.equal(await modeOf('operator-token'), 0o600);
      assert.deepEqual(await readdir(folder), ['operator-token']);
      assert.equal((await readOperatorToken(folder))?.token, first!.token);
    });

  test('that is empty, too short or cannot be sent is rejected with one sentence and left unchanged', async () => {
    for (const text of [
      '',
      '\n',
      'x\n',
      'fifteen-letters',
      'with\ttabs in the middle',
      'ünïcödé-ünïcödé-ünïcödé',
    ]) {
      await leave('operator-token', text);
      const refusal = { name: 'DataFolderError', message: /^[^\n]*operator-token[^\n]*delete it[^\n]*$/ };
      await assert.rejects(ensureOperatorToken(folder, undefined), refusal, JSON.stringify(text));
      await assert.rejects(readOperatorToken(folder), refusal);
      assert.equal(await readFile(file('operator-token'), 'utf8'), text);
    }
  });

  test('that others could read is made private; one that others could have modified is rejected', async () => {
    await leave('operator-token', 'a token of sixteen or more\n', 0o644);
    assert.equal((await ensureOperatorToken(folder, undefined)).token, 'a token of sixteen or more');
    assert.equal(await modeOf('operator-token'), 0o600);
    await chmod(file('operator-token'), 0o666);
    await assert.rejects(ensureOperatorToken(folder, undefined), /other users.*chmod 600/);
  });

  test('is not read through a link, nor from another user', async () => {
    await leave('elsewhere', 'a token of sixteen or more\n');
    await symlink(file('elsewhere'), file('operator-token'));
    await assert.rejects(ensureOperatorToken(folder, undefined), /symbolic link/);
    await rm(file('operator-token'));
    await link(file('elsewhere'), file('operator-token'));
    assert.ok(await ensureOperatorToken(folder, undefined));
    if (!isRoot) return;
    await chown(file('operator-token'), 12_345, 12_345);
    await assert.rejects(ensureOperatorToken(folder, undefined), /another user/);
  });
});
