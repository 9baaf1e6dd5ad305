import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { makeRepository } from '../../../../test/git-repository.ts';
import { reviewRepository } from '../../../../test/models/review-repository.ts';
import type { Script, Scripted } from '../../../../test/models/scripted-model.ts';
import { openRepository, placeOf } from '../../repository/repository.ts';
import type { RepositoryToolName } from './repository-tools.ts';
import { work } from './tool-part.ts';

const key = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
const pem = Array.from({ length: 20 }, (_, index) => `MIIEowIBAAKCAQEA${String(index).padStart(48, 'q7Zx')}`);
const files = {
  'src/load.ts': 'export function load(id: string) {\n  return id;\n}\n',
  'src/page.ts': "import { load } from './load.ts';\n\nexport const page = () => load('x');\n",
  'src/other.ts': 'const load = 1;\nexport const other = load + 1;\n',
  'src/secret.ts': `export const token = '${key}';\nexport const pem = \`-----BEGIN RSA PRIVATE KEY-----\n${pem.join('\n')}\n-----END RSA PRIVATE KEY-----\`;\n`,
  '.gitignore': 'ignored/\n',
  'large.txt': Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join('\n'),
};

/** A repository with everything that a tool must not reach, and a function that calls tools in it. */
async function openTools(inWorkingCopy = false) {
  const { folder, commit, write, git } = await makeRepository();
  await write(files);
  await symlink('/etc/hosts', path.join(folder, 'link.txt'));
  await symlink('/etc', path.join(folder, 'linked'));
  const base = await commit();
  await write({ 'src/load.ts': `${files['src/load.ts']}export const added = 1;\n` });
  await git('add', 'src/load.ts');
  await git('commit', '--quiet', '--message', `change with ${key}`);
  await git('update-index', '--add', '--cacheinfo', `160000,${base},module`);
  await git('commit', '--quiet', '--message', 'a module');
  const head = await git('rev-parse', 'HEAD');
  await write({ 'ignored/x.ts': 'const ignored = 1;\n', 'module/a.ts': 'const inModule = 1;\n' });
  const repository = await openRepository(folder, { searchPath: process.env.PATH });
  const change = {
    kind: 'commits',
    repository: placeOf(repository),
    base,
    head: inWorkingCopy ? null : head,
  } as const;
  const { signal: deadline } = new AbortController();
  return {
    folder,
    base,
    head,
    call: (name: RepositoryToolName, input: unknown) => work({ change, name, input }, { deadline }),
    close: () => repository.close(),
  };
}

test('tools read, search and list the repository at the head, or on request at the base', async () => {
  for (const inWorkingCopy of [false, true]) {
    const { call, close } = await openTools(inWorkingCopy);
    assert.match(
      await call('read_file', { path: 'src/load.ts' }),
      /^1\| export function load[\s\S]*4\| export const added/,
    );
    const former = await call('read_file', { path: 'src/load.ts', revision: 'base' });
    assert.ok(former.includes('load') && !former.includes('added'));
    assert.equal(
      await call('read_file', { path: './src/page.ts', start_line: 3, end_line: 3 }),
      "3| export const page = () => load('x');",
    );
    assert.equal(
      await call('search_code', { text: "load('x')" }),
      "src/page.ts:3: export const page = () => load('x');",
    );
    assert.equal(
      await call('search_code', { text: 'LOAD(', ignore_case: true, path: 'src/p*' }),
      "src/page.ts:3: export const page = () => load('x');",
    );
    assert.equal(await call('search_code', { text: 'load', path: 'docs' }), 'Nothing was found.');
    assert.match(
      await call('find_definition', { name: 'load', path: 'src/page.ts' }),
      /src\/load\.ts:1-3[\s\S]*return id;/,
    );
    const uses = await call('find_references', { name: 'load', path: 'src/load.ts' });
    assert.ok(uses.includes("src/page.ts:3: export const page = () => load('x');"), uses);
    assert.equal(
      await call('list_files', { path: 'src' }),
      'src/load.ts\nsrc/other.ts\nsrc/page.ts\nsrc/secret.ts',
    );
    assert.match(
      await call('file_history', { path: 'src/load.ts' }),
      /^\d{4}-\d\d-\d\d change with \[REDACTED\]\n\d{4}-\d\d-\d\d change \S+$/,
    );
    await close();
  }
});

test('tools reach nothing outside of the repository: no path leads out, through a link, into Git or to what Git ignores', async () => {
  for (const inWorkingCopy of [false, true]) {
    const { call, close, folder } = await openTools(inWorkingCopy);
    const outside = [
      '..',
      '../x',
      'src/../../x',
      '/etc/hosts',
      '//etc/hosts',
      path.join(folder, 'src/load.ts'),
      'link.txt',
      'linked/hosts',
      '.git/config',
      '.git/HEAD',
      'src/../.git/config',
      'module/a.ts',
      'module',
      'ignored/x.ts',
      'src',
      '',
      'HEAD:src/load.ts',
      ':(top)src/load.ts',
      '--help',
      'src/load.ts\0x',
    ];
    for (const name of outside)
      for (const revision of ['head', 'base'])
        for (const tool of ['read_file', 'file_history'] as const) {
          const answer = await call(tool, { path: name, revision });
          assert.match(
            answer,
            /^(?:There is no such file|The input does not fit)/,
            `${tool} ${name}: ${answer}`,
          );
        }
    const listed = await call('list_files', {});
    assert.deepEqual(listed.split('\n'), Object.keys(files).sort());
    for (const name of ['linked', 'link.txt', '.git', 'ignored', 'module', '../**', '/etc/**'])
      assert.equal(await call('list_files', { path: name }), 'Nothing was found.', name);
    for (const text of ['localhost', 'ignored = 1', 'inModule', 'repositoryformatversion'])
      assert.equal(await call('search_code', { text }), 'Nothing was found.', text);
    for (const name of ['ignored', 'inModule'])
      assert.equal(await call('find_definition', { name }), 'Nothing was found.');
    await close();
  }
});

test('answers of tools have no credentials, and a search does not help to guess one', async () => {
  const { call, close } = await openTools();
  const answers = [
    await call('read_file', { path: 'src/secret.ts' }),
    await call('read_file', { path: 'src/secret.ts', start_line: 8, end_line: 9 }),
    await call('search_code', { text: 'token' }),
    await call('find_definition', { name: 'token' }),
    await call('find_definition', { name: 'pem' }),
    await call('file_history', { path: 'src/load.ts' }),
  ].join('\n');
  assert.ok(answers.includes('[REDACTED]'));
  assert.ok(!answers.includes(key) && !answers.includes('MIIEowIBAAKCAQEA'));
  for (const text of [key, key.slice(0, 10), 'MIIEowIBAAKCAQEA'])
    assert.equal(await call('search_code', { text }), 'Nothing was found.');
  await close();
});

test('an answer of a tool is cut at 4,000 tokens, and says so', async () => {
  const { call, close } = await openTools();
  for (const [name, input] of [
    ['read_file', { path: 'large.txt' }],
    ['search_code', { text: 'line' }],
  ] as const) {
    const answer = await call(name, input);
    assert.ok(answer.length / 3 <= 4_000, String(answer.length));
    assert.match(answer, /\n… (?:cut: \d+ more lines|there are more)$/);
  }
  assert.equal(await call('read_file', { file: 'src/load.ts' }), 'The input does not fit the tool.');
  await close();
});

const asking =
  (toolCalls: (round: number) => Scripted['toolCalls']): Script =>
  ({ toolAnswers, tools }) =>
    tools.length > 0 ? { toolCalls: toolCalls(toolAnswers.length)! } : { answer: { findings: [] } };

test('a model calls tools while it answers; their results are fenced, and the calls are counted', async () => {
  const { folder, base, head, close } = await openTools();
  const script: Script = ({ toolAnswers }) =>
    toolAnswers.length === 0
      ? { toolCalls: [{ name: 'read_file', input: { path: 'src/page.ts' } }] }
      : { answer: { findings: [] } };
  const { result, calls } = await reviewRepository({ folder, base, head, script });
  assert.deepEqual(
    calls[0]!.tools.filter((name) => name !== 'json'),
    ['read_file', 'search_code', 'find_definition', 'find_references', 'list_files', 'file_history'],
  );
  const [answer] = calls[1]!.toolAnswers;
  const boundary = /begins with <<<(\S+) /.exec(calls[0]!.data)![1]!;
  assert.ok(answer!.startsWith(`<<<${boundary} answer of the tool read_file\n1| import { load }`), answer);
  assert.deepEqual([result.status, result.usage!.calls, result.usage!.toolCalls], ['succeeded', 2, 1]);
  await close();
});

test('a review has 20 calls of tools, however many the model wants', async () => {
  const { folder, base, head, close } = await openTools();
  const script = asking(() =>
    Array.from({ length: 9 }, () => ({ name: 'list_files', input: { path: 'src' } })),
  );
  const limits = { maxTokens: 2_000_000, maxSeconds: 120 };
  const { result, calls } = await reviewRepository({ folder, base, head, script, limits });
  assert.equal(result.usage!.toolCalls, 20);
  const answers = calls.at(-1)!.toolAnswers;
  assert.equal(answers.filter((answer) => answer.includes('src/load.ts')).length, 20);
  assert.ok(answers.some((answer) => answer.startsWith('No more calls are possible')));
  assert.equal(result.status, 'succeeded');
  await close();
});

test('tools keep to the tokens of the review: before they run out, the model has to answer', async () => {
  const { folder, base, head, close } = await openTools();
  const script = asking(() => [{ name: 'read_file', input: { path: 'large.txt' } }]);
  for (const maxTokens of [4_000, 12_000, 30_000, 60_000]) {
    const { result } = await reviewRepository({
      folder,
      base,
      head,
      script,
      limits: { maxTokens, maxSeconds: 120 },
    });
    const { inputTokens, outputTokens } = result.usage!;
    assert.ok(inputTokens + outputTokens <= maxTokens, `${inputTokens + outputTokens} of ${maxTokens}`);
    assert.equal(result.status, 'succeeded', `${maxTokens}: ${result.reason}`);
  }
  await close();
});

test('a finding is about the change; places in other files can be related to it if their quotes are found', async () => {
  const { folder, base, head, close } = await openTools();
  const said = {
    title: 'A caller breaks',
    body: 'It passes nothing.',
    severity: 'major',
    category: 'functional_correctness',
    suggestion: null,
    learning_ids: [],
  };
  const quoted = (name: string, quote: string) => ({ path: name, quote, text: 'calls it' });
  const related = [
    quoted('src/page.ts', "export const page = () => load('x');"),
    quoted('src/page.ts', 'not a line of it'),
    quoted('../outside.ts', 'load'),
    quoted('.git/config', 'bare = false'),
    quoted('link.txt', 'localhost'),
  ];
  const findings = [
    { ...said, path: 'src/load.ts', quote: 'export const added = 1;', related },
    { ...said, path: 'src/page.ts', quote: "export const page = () => load('x');", related: [] },
  ];
  const script: Script = ({ instructions }) => ({
    answer: instructions.includes('"remove"') ? { remove: [] } : { findings },
  });
  const { result } = await reviewRepository({ folder, base, head, script });
  assert.deepEqual(
    result.findings.map(({ path: name, related: places }) => [name, places]),
    [['src/load.ts', [{ path: 'src/page.ts', startLine: 3, endLine: 3, text: 'calls it' }]]],
  );
  await close();
});
