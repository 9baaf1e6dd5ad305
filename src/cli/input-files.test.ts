import assert from 'node:assert/strict';
import { mkdir, mkdtemp, open, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type CommandResult, runCommand, startFakeServer } from '../../test/command-line.ts';
import { removeFolder } from '../../test/remove-folder.ts';
import { readPlatformFile } from './platform-file.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'postil-input-'));
after(() => removeFolder(folder));
const inFolder = (name: string) => path.join(folder, name);
const mebibyte = 1024 * 1024;

let received: Buffer[] = [];
const server = await startFakeServer(async (request, response) => {
  received = await request.toArray();
  const isEvents = request.url === '/operator/v1/events';
  response.end(JSON.stringify(isEvents ? { accepted: 0, duplicate: 0, failed: 0, errors: [] } : {}));
});

async function largeFile(name: string, bytes: number, start = ''): Promise<void> {
  const file = await open(inFolder(name), 'w');
  await file.write(start);
  await file.truncate(bytes);
  await file.close();
}

before(async () => {
  await mkdir(inFolder('folder'));
  const bomb = Array.from(
    { length: 9 },
    (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(9)}]`,
  );
  const texts: Record<string, string | Buffer> = {
    empty: '',
    'comment.yaml': '# nothing yet\n',
    binary: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0xff, 0xfe]),
    'latin-1.yaml': Buffer.from('workspaces:\n  - { slug: acme, name: Caf\xe9 }\n', 'latin1'),
    'broken.yaml': 'organizations: [1,\n b',
    'several.yaml': 'workspaces: []\n---\nworkspaces: []\n',
    'circle.yaml': 'workspaces: &a [*a]\n',
    'bomb.yaml': ['a0: &a0 [x]', ...bomb].join('\n'),
    'deep.yaml': '['.repeat(5_000),
    'deep.json': '['.repeat(100_000) + ']'.repeat(100_000),
    'tag.yaml': 'workspaces: !secret [x]\n',
    'text.txt': 'hello\n',
  };
  for (const [name, text] of Object.entries(texts)) await writeFile(inFolder(name), text);
  await largeFile('large.yaml', 300 * mebibyte, 'organizations: []\n# ');
  await writeFile(
    inFolder('long.yaml'),
    `organizations: []\n${'# a line of a long document\n'.repeat(700_000)}`,
  );
});

function assertExplained({ code, err }: CommandResult, explanation: RegExp): void {
  assert.doesNotMatch(err, /^\s+at .*:\d+:\d+\)?$/m, 'no stack trace');
  assert.doesNotMatch(err, /node:internal|--trace-warnings/);
  assert.match(err, explanation);
  assert.equal(code, 1, err);
}

describe('a platform document that cannot be used is explained', () => {
  for (const [name, explanation] of [
    ['missing.yaml', /^\S+missing\.yaml does not exist$/],
    ['folder', /^\S+folder is a folder, not a file$/],
    ['empty', /^\S+empty is empty$/],
    ['comment.yaml', /^\S+comment\.yaml is empty$/],
    ['binary', /^\S+binary is not a UTF-8 text file$/],
    ['latin-1.yaml', /^\S+latin-1\.yaml is not a UTF-8 text file$/],
    ['broken.yaml', /^\S+broken\.yaml is not valid YAML: .*line 2, column 3/],
    ['several.yaml', /^\S+several\.yaml contains 2 documents separated by "---"; apply one at a time$/],
    ['circle.yaml', /^\S+circle\.yaml .*refers to itself/],
    ['bomb.yaml', /^\S+bomb\.yaml .*aliases/],
    ['deep.yaml', /^\S+deep\.yaml is nested too deeply$/],
    ['deep.json', /^\S+deep\.json is nested too deeply$/],
    ['tag.yaml', /^\S+tag\.yaml is not valid YAML: Unresolved tag: !secret at line 1/],
    ['text.txt', /^\S+text\.txt .*organizations/],
    ['large.yaml', /^\S+large\.yaml is too large: .* 64 MiB/],
    ['long.yaml', /^\S+long\.yaml is too large for YAML: .* 16 MiB.*JSON/],
  ] as const) {
    test(name, async () => {
      await assert.rejects(readPlatformFile(inFolder(name)), (error: Error) => {
        assert.equal(error.name, 'CommandError');
        assert.doesNotMatch(error.message, /YAML\./, 'no library internals');
        assert.match(error.message, explanation);
        return true;
      });
    });
  }
});

test('nothing of an invalid document is sent, and no stack trace is shown', async () => {
  for (const [file, input, explanation] of [
    [inFolder('folder'), '', /^\S+folder is a folder, not a file\n$/],
    [inFolder('tag.yaml'), '', /^\S+tag\.yaml is not valid YAML: Unresolved tag/],
    ['-', '', /^standard input is empty\n$/],
    ['-', Buffer.alloc(65 * mebibyte, ' '), /^standard input is too large: the limit is 64 MiB\n$/],
  ] as const) {
    received = [];
    assertExplained(await runCommand(['apply', file], server, input), explanation);
    assert.deepEqual(received, []);
  }
});

test('YAML and JSON are both read, with or without a byte order mark', async () => {
  const document = { workspaces: [{ slug: 'acme' }] };
  for (const text of [
    'workspaces:\n  - slug: acme\n',
    JSON.stringify(document),
    `\uFEFF${JSON.stringify(document)}`,
    '{ workspaces: [{ slug: acme }] }',
    '---\nworkspaces: [{ slug: acme }]\n...\n',
  ]) {
    await writeFile(inFolder('good'), text);
    assert.deepEqual(await readPlatformFile(inFolder('good')), document);
  }
});

test('an events file that cannot be read is explained', async () => {
  for (const [name, explanation] of [
    ['missing', /^\S+missing does not exist\n$/],
    ['folder', /^\S+folder is a folder, not a file\n$/],
  ] as const)
    assertExplained(await runCommand(['events', 'send', inFolder(name)], server), explanation);
});

test('a read error halfway through an events file is the error that is reported', {
  skip: process.platform !== 'linux' && 'needs a file that opens but cannot be read',
}, async () => {
  const result = await runCommand(['events', 'send', '/proc/self/mem'], server);
  assertExplained(result, /^\/proc\/self\/mem cannot be read \(EIO\)\n$/);
});

test('events can come from standard input, and a file can be empty', async () => {
  const piped = await runCommand(['events', 'send', '-'], server, '{"id":"1"}\n');
  assert.deepEqual([piped.code, Buffer.concat(received).toString()], [0, '{"id":"1"}\n']);
  assert.equal((await runCommand(['events', 'send', inFolder('empty')], server)).code, 0);
});

test('a backup that cannot be read is explained', async () => {
  const variables = { POSTIL_DATA_DIR: inFolder('data') };
  for (const name of ['missing', 'folder'])
    assertExplained(await runCommand(['restore', inFolder(name)], variables), /^The backup \S+ [^\n]+\n$/);
});
