import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { childEnvironment } from '../../../test/child-environment.ts';
import { makeRepository } from '../../../test/git-repository.ts';
import { startScriptedModel } from '../../../test/models/scripted-model.ts';
import { schemaFaults } from '../../lib/sarif/fixtures/official-schema.ts';

const main = path.join(import.meta.dirname, '../main.ts');

/** Runs `postil review` in a folder, with no other environment variables than those given. */
async function review(
  folder: string,
  given: string[] = [],
  variables: Record<string, string> = {},
  command = ['review'],
) {
  const child = spawn(process.execPath, [main, ...command, ...given], {
    cwd: folder,
    env: { ...childEnvironment, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'close'),
  ]);
  return { code: child.exitCode, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
}

const clean =
  "import { read } from './read.ts';\n\nexport function load(name: string) {\n  return read(name);\n}\n";
const faulty =
  "import { read } from './read.ts';\n\nexport function load(name: string) {\n  try {\n    return name;\n  } finally {\n    return '';\n  }\n}\n";
const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;

const modelHint =
  'Rules alone do not see wrong logic or forgotten cases; a model of your own can: set POSTIL_MODEL_URL and POSTIL_MODEL_NAME (docs/model.md).';

test('shows findings in uncommitted changes, with the code, and fails if one is critical', async () => {
  const { folder, write } = await makeRepository({ 'load.ts': clean });
  await write({ 'load.ts': faulty, 'new/settings.py': `TOKEN = "${token}"\n` });
  const { code, out, err } = await review(folder);
  assert.equal(code, 1);
  assert.equal(
    out,
    `new/settings.py:1  critical  Credential in the code  secrets/github-token
  > 1 | TOKEN = "[REDACTED]"
  Recognized as \`github-token\`. Everybody who can read the repository has it, even after it is removed. Revoke it, and keep the new one outside of the repository.

load.ts:7  major  \`finally\` overrides the result  oxlint/no-unsafe-finally
    5 |     return name;
    6 |   } finally {
  > 7 |     return '';
    8 |   }
    9 | }
  Leaving the \`finally\` block here discards what was returned or thrown before.

load.ts:1  minor  Unused variable or import  oxlint/no-unused-vars
  > 1 | import { read } from './read.ts';
    2 |
    3 | export function load(name: string) {
  Identifier \`read\` is imported but never used. Remove it, or add the code that was meant to use it.

3 findings in 2 changed files against main.
${modelHint}
`,
  );
  assert.equal(err, 'A finding is critical\n');
});

test('reports nothing for clean code, and says what was not reviewed', async () => {
  const { folder, write } = await makeRepository({ 'load.ts': clean });
  await write({
    'load.ts': `${clean}\nexport const more = 1;\n`,
    'a.swift': 'func main() {}\n',
    'flake.lock': 'x\n',
  });
  assert.deepEqual(await review(folder), {
    code: 0,
    out: `No findings in 3 changed files against main.\nNot reviewed: flake.lock (no rules for its language).\nOnly checked for credentials and broken text (conflict markers, hidden characters, invalid JSON or YAML): 1 file without rules for its language.\nNote: What this change breaks elsewhere is not known for Swift: only JavaScript, TypeScript, Python and Go are resolved.\n${modelHint}\n`,
    err: '',
  });
});

test('suggests a model once, only to people, and not if the model is turned off', async () => {
  const { folder, write } = await makeRepository({ 'load.ts': clean });
  await write({ 'load.ts': faulty });
  assert.equal((await review(folder, ['--fail-on', 'none'])).out.split(modelHint).length, 2);
  for (const format of ['json', 'sarif', 'github'])
    assert.ok(
      !(await review(folder, ['--format', format, '--fail-on', 'none'])).out.includes('POSTIL_MODEL_URL'),
    );
  await write({ 'off.yaml': 'reviews: { model: { enabled: false } }\n' });
  assert.ok(!(await review(folder, ['--config', 'off.yaml', '--fail-on', 'none'])).out.includes(modelHint));
});

test('if nothing has changed, it suggests what else can be reviewed', async () => {
  const { folder, commit } = await makeRepository({ 'load.ts': clean });
  const nothing = 'Nothing has changed against main.\n';
  assert.equal((await review(folder)).out, nothing);
  await commit({ 'load.ts': faulty });
  assert.equal((await review(folder)).out, `${nothing}Note: To review the last commit, use --base HEAD~1.\n`);
  assert.match(
    (await review(folder, ['--base', 'HEAD~1'])).out,
    /2 findings in 1 changed file against HEAD~1/,
  );
});

test('compares branches, takes paths, and --fail-on decides the exit status', async () => {
  const { folder, git, commit } = await makeRepository({ 'src/load.ts': clean, 'other/load.ts': clean });
  await git('switch', '--quiet', '--create', 'feature');
  await commit({ 'src/load.ts': faulty, 'other/load.ts': faulty });
  const both = await review(folder, ['--head', 'feature', '--base', 'main']);
  assert.equal(both.code, 0);
  assert.match(both.out, /4 findings in 2 changed files against main/);
  const one = await review(path.join(folder, 'src'), ['--fail-on', 'major', '.']);
  assert.equal(one.code, 1);
  assert.match(one.out, /2 findings in 1 changed file against main/);
  assert.match(one.err, /A finding is major or worse/);
  assert.equal((await review(folder, ['--fail-on', 'none', 'other/*.ts'])).code, 0);
});

test('JSON is the run object of the API', async () => {
  const { folder, write } = await makeRepository({ 'load.ts': clean });
  await write({ 'load.ts': faulty });
  const run = JSON.parse((await review(folder, ['--format', 'json'])).out);
  assert.deepEqual(Object.keys(run).sort(), [
    'base_revision',
    'coverage',
    'created_at',
    'estimated_complexity',
    'estimated_review_minutes',
    'findings',
    'finished_at',
    'fix',
    'head_revision',
    'id',
    'mode',
    'notes',
    'pr_url',
    'pull_request',
    'reason',
    'release',
    'report',
    'repository_id',
    'started_at',
    'status',
    'trigger',
    'usage',
  ]);
  assert.deepEqual(run.coverage, [{ path: 'load.ts', state: 'full', reason: null }]);
  assert.deepEqual(run.usage, {
    model: null,
    input_tokens: 0,
    output_tokens: 0,
    cost_usd: 0,
    calls: 0,
    tool_calls: 0,
  });
  const { finding_id, title, body, ...finding } = run.findings[0];
  assert.match(finding_id, /^[0-9a-f]{32}$/);
  assert.ok(title !== '' && body !== '');
  assert.deepEqual(finding, {
    path: 'load.ts',
    side: 'new',
    start_line: 7,
    end_line: 7,
    severity: 'major',
    category: 'functional_correctness',
    suggestion: null,
    source: { kind: 'rule', name: 'oxlint/no-unsafe-finally' },
    related: [],
    confidence: 'proven',
    rules: ['oxlint/no-unsafe-finally'],
    cwe: null,
    learning_ids: [],
    url: null,
    state: 'open',
    accepted: null,
  });
});

test('SARIF is valid, and annotations of GitHub are escaped', async () => {
  const { folder, write } = await makeRepository({ 'sub, dir/read.ts': 'export const read = String;\n' });
  await write({ 'sub, dir/100%: a.ts': faulty });
  const sarif = JSON.parse((await review(folder, ['--format', 'sarif'])).out);
  assert.deepEqual(schemaFaults(sarif), []);
  const [result] = sarif.runs[0].results;
  assert.equal(result.locations[0].physicalLocation.artifactLocation.uri, 'sub%2C%20dir/100%25%3A%20a.ts');
  const { out } = await review(folder, ['--format', 'github']);
  assert.match(
    out,
    /^::error file=sub%2C dir\/100%25%3A a\.ts,line=7,endLine=7,title=`finally` overrides the result::/,
  );
});

test('the configuration of the base applies, not that of the change; --config takes precedence', async () => {
  const { folder, write, commit, git } = await makeRepository({ 'load.ts': clean });
  await write({ 'load.ts': faulty, '.postil.yaml': 'reviews: { path_filters: ["!**"] }\n' });
  const uncommitted = (await review(folder)).out;
  assert.match(uncommitted, /2 findings/);
  assert.match(uncommitted, /not in the base yet; to try it: --config \.postil\.yaml/);
  assert.match((await review(folder, ['--config', '.postil.yaml'])).out, /No findings/);
  const first = await git('rev-parse', 'HEAD');
  await commit();
  assert.doesNotMatch((await review(folder, ['--base', first, '--head', first])).out, /not in the base yet/);
  assert.match(
    (await review(folder, ['--base', 'HEAD~1'])).out,
    /not in the base yet; to try it: --config \.postil\.yaml/,
  );
  await git('switch', '--quiet', '--create', 'feature');
  await write({ 'load.ts': `${faulty}\ndebugger;\n` });
  assert.match((await review(folder)).out, /No findings in 1 changed file/);
});

test('incorrect usage is explained in one sentence, with status 2', async () => {
  const nowhere = await mkdtemp(path.join(tmpdir(), 'postil-nowhere-'));
  after(() => rm(nowhere, { recursive: true }));
  const { folder, write } = await makeRepository({ 'a.ts': clean });
  await write({ 'faulty.yaml': 'reviews:\n  fail_on: x\n' });
  const cases: [string, string[], Record<string, string>, RegExp][] = [
    [nowhere, [], {}, /is not in a Git repository/],
    [folder, ['--base', 'nope'], {}, /The base "nope" does not exist here/],
    [folder, ['--head', 'nope'], {}, /The revision "nope" does not exist here/],
    [folder, [], { PATH: '/nonexistent' }, /git was not found/],
    [folder, ['--format', 'xml'], {}, /Allowed choices are text, json, sarif, github/],
    [folder, ['--fail-on', 'high'], {}, /Allowed choices are critical/],
    [folder, ['../elsewhere'], {}, /outside of this repository/],
    ...['--coverage', '--sarif', '--config'].map((option): (typeof cases)[number] => [
      folder,
      [option, 'none'],
      {},
      /^none does not exist\n$/,
    ]),
    [folder, ['--sarif', 'a.ts'], {}, /^a\.ts is not a SARIF log: it is not valid JSON in UTF-8\n$/],
    [folder, ['--coverage', '.'], {}, /^\. is a folder, not a file\n$/],
    [folder, ['--config', 'faulty.yaml'], {}, /faulty\.yaml:2:12: reviews\.fail_on: must be one of/],
  ];
  for (const [place, given, variables, message] of cases) {
    const { code, out, err } = await review(place, given, variables);
    assert.deepEqual([code, out], [2, ''], `${given}: ${err}`);
    assert.match(err, message);
  }
});

test('postil config check names every fault by line and column', async () => {
  const { folder, write } = await makeRepository();
  await write({
    'good.yaml': 'language: en\n',
    'bad.yaml': 'language: en\nrules: 1\n',
    '.coderabbit.yaml': 'language: en\nchat: { auto_reply: true }\n',
  });
  const check = (file: string) => review(folder, [file], {}, ['config', 'check']);
  assert.deepEqual(await check('good.yaml'), { code: 0, out: 'good.yaml is valid\n', err: '' });
  assert.deepEqual(await check('bad.yaml'), {
    code: 1,
    out: '',
    err: 'bad.yaml:2:1: rules: unknown field\n',
  });
  assert.deepEqual(await check('.coderabbit.yaml'), {
    code: 0,
    out: '.coderabbit.yaml can be used\n  no counterpart: chat.auto_reply\n',
    err: '',
  });
  assert.match((await check('missing.yaml')).err, /missing\.yaml does not exist/);
});

test('code under review cannot control the terminal', async () => {
  const { folder, write } = await makeRepository({ 'a.py': 'x = 1\n' });
  await write({ 'a.py': 'x = 1\nprint(undefined_name) # \u001b[2J\u202e\u009b31m\n' });
  const { out } = await review(folder);
  assert.match(out, /print\(undefined_name\)/);
  for (const character of ['\u001b', '\u202e', '\u009b']) assert.ok(!out.includes(character));
  await write({
    'b\u001b[2J\n\u202e.py': 'print(undefined_name)\n',
    'c\u001b[2J.lock': '',
    'yarn\n.lock': '',
  });
  const named = await review(folder);
  assert.match(named.out, /^b\\u001b\[2J\\u000a\\u202e\.py:1 {2}major/m);
  assert.ok(!named.out.includes('\u001b'));
});

test('a configured model is used and sees no credential, and invalid settings are reported', async () => {
  const { folder, write } = await makeRepository({ 'load.rb': 'one\n' });
  await write({ 'load.rb': `one\nTOKEN = "${token}"\ntwo\n` });
  const { settings, calls } = await startScriptedModel('anthropic', ({ instructions }) =>
    instructions.includes('"remove"')
      ? { answer: { remove: [] } }
      : {
          answer: {
            summary: 'S',
            findings: [
              {
                path: 'load.rb',
                quote: 'two',
                title: 'Never called',
                body: 'It is dead.',
                severity: 'minor',
                category: 'maintainability_and_code_quality',
                suggestion: null,
                learning_ids: [],
              },
            ],
          },
        },
  );
  const variables = {
    POSTIL_MODEL_URL: settings.url,
    POSTIL_MODEL_NAME: settings.name,
    POSTIL_MODEL_KIND: settings.kind,
  };
  const { out } = await review(folder, ['--format', 'json'], variables);
  const run = JSON.parse(out);
  assert.deepEqual(
    run.findings.map((found: { title: string; start_line: number }) => [found.title, found.start_line]),
    [
      ['Credential in the code', 2],
      ['Never called', 3],
    ],
  );
  assert.deepEqual([run.usage.model, run.usage.calls], ['scripted-1', 2]);
  assert.ok(!JSON.stringify(calls.map(({ body }) => body)).includes(token));
  const wrong = await review(folder, [], { POSTIL_MODEL_URL: 'nowhere' });
  assert.match(wrong.err, /POSTIL_MODEL_URL: must be[\s\S]*POSTIL_MODEL_NAME: required/);
});

test('a path that matches nothing is refused; one without changes is not', async () => {
  const { folder, write } = await makeRepository({ 'load.ts': clean, 'lib/a.ts': clean });
  await write({ 'load.ts': faulty });
  for (const name of ['nosuchpath', 'lib/*.py']) {
    const { code, err } = await review(folder, [name]);
    assert.equal(code, 2);
    assert.match(err, /matches no file of this repository/);
  }
  for (const name of ['lib', 'lib/*.ts', '.']) assert.notEqual((await review(folder, [name])).code, 2);
});
