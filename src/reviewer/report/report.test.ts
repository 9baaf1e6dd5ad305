import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { makeRepository } from '../../../test/git-repository.ts';
import { removeFolder } from '../../../test/remove-folder.ts';
import { partsOf } from '../process/part.ts';
import { workHere } from '../process/run-here.ts';
import { openRepository, placeOf } from '../repository/repository.ts';
import { makeReport, type Reviewed } from '../review/make-report.ts';
import { noImpact } from './impact.ts';
import { noneStanding } from './preexisting.ts';
import { type People, peopleOfGit } from './reviewers.ts';

const nothing: Reviewed = {
  findings: [],
  impact: noImpact,
  compared: [],
  standing: noneStanding,
  guidelines: [],
  checks: [],
  quiet: [],
};
const here = workHere(async () => []);
after(() => here.stop());

/** The report about the changes between two commits, or between one and the working copy. */
async function reportOf(
  folder: string,
  base: string,
  head: string | null,
  more: { people?: People; reviewed?: Partial<Reviewed> } = {},
) {
  const repository = await openRepository(folder, { searchPath: process.env.PATH });
  try {
    const { signal } = new AbortController();
    return await makeReport(
      {
        change: { kind: 'commits', repository: placeOf(repository), base, head },
        configuration: undefined as never,
        own: { astGrepRules: [], searchPath: undefined },
        run: partsOf(here, { group: 'test', signal }),
        signal,
        ...(more.people && { people: more.people }),
      },
      { ...nothing, ...more.reviewed },
    );
  } finally {
    await repository.close();
  }
}

/** Commits as this author; returns the id. */
function commitAs({ folder }: { folder: string }, name: string, title = 'change'): string {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: `${name.toLowerCase()}@acme.test`,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: `${name.toLowerCase()}@acme.test`,
  };
  const git = (...given: string[]) => execFileSync('git', given, { cwd: folder, env }).toString().trim();
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message', title);
  return git('rev-parse', 'HEAD');
}

const lines = (count: number, text: string) =>
  Array.from({ length: count }, (_, n) => `${text} ${n}\n`).join('');

test('the walkthrough lists folders, altered definitions, files that only moved, and a reading order', async () => {
  const repository = await makeRepository({
    'src/load.ts':
      'export function load(a: string) {\n  return a;\n}\n\nexport function sum() {\n  return 1;\n}\n',
    'src/names.ts': `${lines(20, '// name')}`,
    'src/index.ts': "export { total } from './total.ts';\n",
    'app/main.py': 'class Cart:\n    def total(self):\n        return 1\n',
    'pkg/a.go': 'package pkg\n\nfunc A() int { return 1 }\n',
    'go.mod': 'module acme.test/shop\n',
  });
  const base = await repository.git('rev-parse', 'HEAD');
  await repository.git('mv', 'src/names.ts', 'src/other-names.ts');
  const head = await repository.commit({
    'src/load.ts':
      "import { total } from './index.ts';\nexport function load(a: string) {\n  return total(a);\n}\n",
    'src/total.ts': 'export function total(a: string) {\n  return a.length;\n}\n',
    'src/load.test.ts': "import { load } from './load.ts';\nload('');\n",
    'app/main.py': 'class Cart:\n    def total(self):\n        return 2\n',
    'pkg/a.go': 'package pkg\n\nfunc A() int { return B() }\n',
    'pkg/b.go': 'package pkg\n\nfunc B() int { return 2 }\n',
    'package-lock.json': '{}\n',
  });
  const { report } = await reportOf(repository.folder, base, head);
  const { areas, total_areas, reading_order, moved_only } = report.walkthrough;
  assert.deepEqual(
    areas.map(({ path: name, files, symbols }) => [name, files, symbols]),
    [
      ['.', 1, { added: [], changed: [], removed: [] }],
      ['app', 1, { added: [], changed: ['Cart.total'], removed: [] }],
      ['pkg', 2, { added: ['B'], changed: ['A'], removed: [] }],
      ['src', 4, { added: ['total'], changed: ['load'], removed: ['sum'] }],
    ],
  );
  assert.equal(total_areas, 4);
  assert.deepEqual([areas[3]!.added, areas[3]!.removed], [7, 5]);
  assert.deepEqual(moved_only, ['src/other-names.ts']);
  assert.deepEqual(reading_order, [
    'app/main.py',
    'pkg/b.go',
    'pkg/a.go',
    'src/total.ts',
    'src/load.ts',
    'src/load.test.ts',
    'package-lock.json',
  ]);
  assert.deepEqual(report.impact, []);
});

test('areas are merged into their parents until there are few enough, and lists have totals', async () => {
  const repository = await makeRepository({ 'readme.md': 'x\n' });
  const base = await repository.git('rev-parse', 'HEAD');
  const files = Object.fromEntries(
    Array.from({ length: 120 }, (_, n) => [`top${n % 3}/deep/d${n}/f.ts`, `export const v${n} = ${n};\n`]),
  );
  for (let n = 0; n < 40; n += 1) files[`top1/deep/large/${n}.ts`] = `export const w${n} = ${n};\n`;
  const { report } = await reportOf(repository.folder, base, await repository.commit(files));
  const { areas, total_areas, reading_order } = report.walkthrough;
  assert.equal(areas.length, 50);
  // The smallest are merged into their parents, and no further than necessary.
  const sizes = new Map(areas.map((area) => [area.path, area.files]));
  assert.deepEqual([sizes.get('top1/deep/large'), sizes.get('top0/deep'), sizes.has('.')], [40, 40, false]);
  assert.equal(
    areas.reduce((sum, { files: count }) => sum + count, 0),
    160,
  );
  assert.equal(total_areas, 121);
  assert.equal(reading_order.length, 100);
  assert.equal(areas[0]!.symbols.added.length, 21);
  assert.equal(areas[0]!.symbols.added.at(-1), 'and 20 more');
});

test('files that usually change together: in five small commits, 70 % of all, not deleted and not in the change', async () => {
  const repository = await makeRepository({ 'a.ts': '0\n', 'z.ts': '0\n' });
  for (let n = 0; n < 10; n += 1)
    await repository.commit({
      'a.ts': `${n}\n`,
      'with.md': `${n}\n`,
      'gone.md': `${n}\n`,
      'too.ts': `${n}\n`,
      ...(n < 6 && { 'sometimes.md': `${n}\n` }),
      ...(n < 4 && { 'z.ts': `${n + 1}\n` }),
    });
  // A commit of more than 30 files does not count for or against.
  await repository.commit(
    Object.fromEntries([['a.ts', 'many\n'], ...Array.from({ length: 40 }, (_, n) => [`m${n}`, 'x'])]),
  );
  await repository.git('rm', '--quiet', 'gone.md');
  const base = await repository.commit();
  const head = await repository.commit({ 'a.ts': 'new\n', 'z.ts': 'new\n', 'too.ts': 'new\n' });
  const { report } = await reportOf(repository.folder, base, head);
  assert.deepEqual(report.together, [{ path: 'too.ts', usually_with: 'with.md', times: 10, of: 10 }]);
  assert.equal(report.total_together, 1);
});

test('reviewers are owners and authors of changed lines, never authors of the change or bots; no email is shown', async () => {
  const repository = await makeRepository({ 'src/a.ts': lines(4, '// ann') });
  await repository.write({ 'src/a.ts': lines(4, '// ann') + lines(10, '// bob') });
  commitAs(repository, 'Bob');
  await repository.write({ 'src/a.ts': lines(4, '// ann') + lines(10, '// bob') + lines(6, '// robot') });
  commitAs(repository, 'dependabot[bot]');
  await repository.write({
    'src/a.ts': lines(4, '// ann') + lines(10, '// bob') + lines(6, '// robot') + lines(5, '// eve'),
    '.github/CODEOWNERS': '*.ts @acme/shop eve@acme.test @carl\n',
  });
  const base = commitAs(repository, 'Eve');
  await repository.write({ 'src/a.ts': '// all new\n' });
  const head = commitAs(repository, 'Eve');
  const { report } = await reportOf(repository.folder, base, head);
  assert.deepEqual(report.reviewers, [
    { username: 'acme/shop', reason: 'owns the changed file', share: 1 },
    { username: 'carl', reason: 'owns the changed file', share: 1 },
    { username: 'Bob', reason: 'wrote 40 % of the changed lines', share: 0.4 },
    { username: 'Ann', reason: 'wrote 16 % of the changed lines', share: 0.16 },
  ]);
  assert.doesNotMatch(JSON.stringify(report), /@acme\.test/);
});

test('for new files, the authors of the last commits in their folders are suggested', async () => {
  const repository = await makeRepository({ 'other/x.ts': '1\n' });
  for (let n = 0; n < 3; n += 1) {
    await repository.write({ 'src/a.ts': `${n}\n` });
    commitAs(repository, 'Bob');
  }
  await repository.write({ 'src/a.ts': 'carl\n' });
  const base = commitAs(repository, 'Carl');
  await repository.write({ 'src/deep/new.ts': 'new\n' });
  const head = commitAs(repository, 'Eve');
  const { report } = await reportOf(repository.folder, base, head);
  assert.deepEqual(report.reviewers, [
    { username: 'Bob', reason: 'made 3 of the last 4 commits in this folder', share: 0.75 },
  ]);
});

test('risk counts fixed reasons: one point each, two for grave findings', async () => {
  const repository = await makeRepository({ 'src/a.ts': '0\n', 'src/a.test.ts': '0\n' });
  for (const title of ['fix: one', 'Fixes two', 'add a prefix', 'Bugfix three', 'more fixtures']) {
    await repository.write({ 'src/a.ts': `${title}\n` });
    commitAs(repository, 'Ann', title);
  }
  const base = await repository.git('rev-parse', 'HEAD');
  const riskOf = async (files: Record<string, string>, reviewed: Partial<Reviewed> = {}) => {
    await repository.git('checkout', '--quiet', '--detach', base);
    const { report } = await reportOf(repository.folder, base, await repository.commit(files), { reviewed });
    return report.risk;
  };
  assert.deepEqual(await riskOf({ 'readme.md': 'text\n' }), { level: 'low', reasons: [] });
  assert.deepEqual(await riskOf({ 'src/b.ts': 'text\n' }), { level: 'low', reasons: ['no test changed'] });
  assert.deepEqual(await riskOf({ 'src/a.ts': 'text\n', 'src/a.test.ts': 'text\n' }), {
    level: 'low',
    reasons: ['changes a file with 3 fixes in its last 6 commits'],
  });
  assert.deepEqual(
    await riskOf({
      'src/b.ts': lines(401, '//'),
      'package-lock.json': lines(900, '//'),
      'db/migrations/1.sql': '--\n',
    }),
    {
      level: 'medium',
      reasons: ['no test changed', 'changes a migration and a dependency', '402 changed lines'],
    },
  );
  assert.deepEqual(
    await riskOf({ 'readme.md': 'other\n' }, { findings: [{ severity: 'major' }, { severity: 'minor' }] }),
    { level: 'medium', reasons: ['a critical or major finding'] },
  );
  const entry = {
    symbol: 'f',
    renamed_to: null,
    path: 'a',
    line: 1,
    change: 'removed',
    references: [],
  } as const;
  const moved = { ...entry, change: 'moved' as const, total_references: 9 };
  const impact = { entries: [moved, { ...entry, total_references: 7 }], total: 2 };
  assert.deepEqual(
    await riskOf(
      { 'src/b.ts': 'text\n' },
      { impact, findings: [{ severity: 'critical' }, { severity: 'major' }] },
    ),
    {
      level: 'high',
      reasons: [
        'changes something that is used in 7 places',
        'no test changed',
        'a critical or major finding',
      ],
    },
  );
  for (const [file, text, kind] of [
    ['package.json', '{"dependencies":{"x":"1"}}', 'a dependency'],
    ['api.yaml', 'openapi: 3.1.0\n', 'a contract'],
    ['.github/workflows/ci.yml', 'on: push\n', 'a workflow'],
  ] as const)
    assert.deepEqual((await riskOf({ [file]: text })).reasons, [`changes ${kind}`]);
  assert.deepEqual((await riskOf({ 'package.json': '{"name":"x"}' })).reasons, []);
});

test('a history that is truncated or has no contents results in a note, and nothing is fetched', async () => {
  const origin = await makeRepository();
  const commitTo = async (name: string, text: string) => {
    await origin.write({ 'a.ts': lines(5, text) });
    return commitAs(origin, name);
  };
  await commitTo('Bob', '// old');
  await commitTo('Bob', '// newer');
  const base = await commitTo('Carl', '// base');
  const head = await commitTo('Eve', '// head');
  await origin.git('config', 'uploadpack.allowFilter', 'true');
  const copy = async (...options: string[]) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'postil-copy-'));
    after(() => removeFolder(folder));
    execFileSync('git', ['clone', '--quiet', ...options, `file://${origin.folder}`, folder], {
      env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
    });
    return folder;
  };
  const shallow = await reportOf(await copy('--depth=2'), base, head);
  assert.deepEqual(shallow.notes, [
    'The history is cut off here (a shallow clone), so the report knows little about earlier changes',
  ]);
  assert.deepEqual(shallow.report.reviewers, []);
  assert.equal(shallow.report.walkthrough.areas.length, 1);

  const blobless = await copy('--filter=blob:none');
  const inCopy = (...given: string[]) => execFileSync('git', given, { cwd: blobless });
  // As in a mirror: the contents of both sides of the change are present, and no others.
  inCopy('cat-file', '-e', `${base}:a.ts`);
  const before = inCopy('count-objects', '-v').toString();
  const { report, notes } = await reportOf(blobless, base, head);
  assert.deepEqual(notes, [
    'Suggested reviewers are based on commits, because the authors of the lines are not known here',
  ]);
  assert.deepEqual(report.reviewers, [
    { username: 'Bob', reason: 'made 2 of the last 3 commits to this file', share: 0.67 },
  ]);
  assert.equal(inCopy('count-objects', '-v').toString(), before);
});

test('credentials in names are not shown', async () => {
  const repository = await makeRepository({ 'readme.md': 'x\n' });
  const base = await repository.git('rev-parse', 'HEAD');
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const { report } = await reportOf(
    repository.folder,
    base,
    await repository.commit({ [`${secret}/a.ts`]: '1\n' }),
  );
  assert.doesNotMatch(JSON.stringify(report), new RegExp(secret));
  assert.equal(report.walkthrough.areas.length, 1);
});

test('one person is one reviewer, by name and never by email address', async () => {
  const authors = [
    { name: 'toim', email: 'Toim@acme.test' },
    { name: 'Martti T', email: 'toim@acme.test' },
    { name: 'zed@acme.test', email: 'zed@acme.test' },
    { name: 'renovate[bot]', email: 'bot@acme.test' },
  ];
  assert.deepEqual(await peopleOfGit.nameAuthors(authors), ['Martti T', 'Martti T', 'zed', null]);
});
