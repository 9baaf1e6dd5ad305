import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { childEnvironment } from '../../../test/child-environment.ts';
import { makeRepository } from '../../../test/git-repository.ts';
import { removeFolder } from '../../../test/remove-folder.ts';

const main = path.join(import.meta.dirname, '../main.ts');
const run = promisify(execFile);

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-make-'));
  after(() => removeFolder(folder));
  return folder;
}

function postil(...given: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, 'eval', ...given], { env: childEnvironment }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

interface CaseFile {
  readonly repository: string;
  readonly base: string;
  readonly head: string;
  readonly golden: { path: string; start_line: number; end_line: number }[];
  readonly [name: string]: unknown;
}

async function readCases(folder: string): Promise<Record<string, CaseFile>> {
  const names = (await readdir(folder)).filter((name) => name.includes('-'));
  const read = async (name: string) => [
    name.slice(name.indexOf('-') + 1),
    JSON.parse(await readFile(path.join(folder, name, 'case.json'), 'utf8')),
  ];
  return Object.fromEntries(await Promise.all(names.map(read)));
}

const lines = (...all: string[]) => `${all.join('\n')}\n`;

/** The observable state of a repository. */
async function stateOf(folder: string): Promise<string> {
  const entries = await readdir(path.join(folder, '.git'), { recursive: true });
  const config = await readFile(path.join(folder, '.git', 'config'), 'utf8');
  return JSON.stringify([entries.sort(), config, (await readdir(folder)).sort()]);
}

test('an update that is left out becomes a case with its place, and the original commit a case without findings', async () => {
  // The user's name is hostile to shells, globs and lists of lines.
  const user = 'src/"a *\n$(touch x).ts';
  const repository = await makeRepository({
    'src/cart.ts': lines('export function total(a: number) {', '  return a;', '}'),
    [user]: lines("import { total } from './cart.ts';", '', 'export const sum = total(1);'),
    'README.md': 'shop\n',
  });
  const base = await repository.git('rev-parse', 'HEAD');
  const commit = await repository.commit({
    'src/cart.ts': lines('export function grandTotal(a: number) {', '  return a;', '}'),
    [user]: lines("import { grandTotal } from './cart.ts';", '', 'export const sum = grandTotal(1);'),
  });
  await repository.commit({ 'README.md': 'a shop\n' });
  const before = await stateOf(repository.folder);
  const out = path.join(await makeFolder(), 'cases');
  const made = await postil('make', 'withheld', '--repository', repository.folder, '--out', out);
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /^2 cases of one commit, from \d that were looked at/);
  assert.equal(await stateOf(repository.folder), before, 'the repository is only read');
  const { withheld, 'as-it-was': whole } = await readCases(out);
  assert.deepEqual(
    [withheld!.base, withheld!.commit, withheld!.rule, withheld!.language, withheld!.resolvable],
    [base, commit, 'removed', 'javascript', true],
  );
  assert.deepEqual(
    [...new Set(withheld!.golden.map(({ path: file, start_line }) => `${file}:${start_line}`))],
    [`${user}:1`, `${user}:3`],
  );
  assert.deepEqual([whole!.base, whole!.head, whole!.golden], [base, commit, []]);
  const git = async (...given: string[]) =>
    (await run('git', ['-C', path.join(out, 'repository.git'), ...given])).stdout.trim();
  assert.equal(await git('diff', '-z', '--name-only', base, withheld!.head), 'src/cart.ts\0');
  assert.equal(await git('rev-parse', `refs/postil/eval/${withheld!.head}`), withheld!.head);
  const measured = await postil('--dataset', out, '--format', 'json');
  assert.equal(measured.code, 0, measured.err);
  const report = JSON.parse(measured.out);
  assert.deepEqual([report.cases, report.golden, report.breakdown.found], [2, 1, { good: 1, of: 1 }]);
  assert.deepEqual(report.breakdown.silent, { good: 1, of: 1 });
  assert.equal(report.breakdown.by_resolvable.resolvable.of, 1);
});

test('parameters that changed, methods and files that moved are distinguished; an update that was not needed is no case', async () => {
  const repository = await makeRepository({
    'shop/__init__.py': '',
    'shop/cart.py': lines(
      'def total(a):',
      '    return a',
      '',
      'class Cart:',
      '    def amount(self):',
      '        return 1',
    ),
    'shop/use.py': lines('from shop.cart import total', '', 'def use():', '    return total(1)'),
    'shop/member.py': lines('def ask(cart):', '    return cart.amount()'),
    'shop/other.py': lines('def look(thing):', '    return thing.price()'),
  });
  const make = async (name: string) => {
    const out = path.join(await makeFolder(), name);
    const { code, err } = await postil(
      'make',
      'withheld',
      '--repository',
      repository.folder,
      '--out',
      out,
      '--limit',
      '1',
    );
    assert.equal(code, 0, err);
    assert.equal((await readdir(out)).length, 3, 'the repository and the two cases of one commit');
    return (await readCases(out)).withheld!;
  };
  await repository.commit({
    'shop/cart.py': lines(
      'def total(a, b):',
      '    return a + b',
      '',
      'class Cart:',
      '    def amount(self):',
      '        return 1',
    ),
    'shop/use.py': lines('from shop.cart import total', '', 'def use():', '    return total(1, 2)'),
    'shop/other.py': lines('def look(thing):', '    return thing.price', ''),
  });
  const altered = await make('signature');
  assert.deepEqual([altered.rule, altered.symbol, altered.resolvable], ['signature', 'total', true]);
  assert.deepEqual(altered.golden, [{ path: 'shop/use.py', start_line: 4, end_line: 4 }]);
  await repository.commit({
    'shop/cart.py': lines(
      'def total(a, b):',
      '    return a + b',
      '',
      'class Cart:',
      '    def whole_amount(self):',
      '        return 1',
    ),
    'shop/member.py': lines('def ask(cart):', '    return cart.whole_amount()'),
  });
  const method = await make('method');
  assert.deepEqual([method.rule, method.symbol, method.resolvable], ['removed', 'Cart.amount', false]);
  await repository.git('mv', 'shop/cart.py', 'shop/basket.py');
  await repository.commit({
    'shop/use.py': lines('from shop.basket import total', '', 'def use():', '    return total(1, 2)'),
  });
  const moved = await make('moved');
  assert.deepEqual([moved.rule, moved.symbol, moved.resolvable], ['missing-file', 'shop/cart.py', true]);
});

test('a fix becomes two cases: the bug reintroduced, at its lines, and the fix itself', async () => {
  const repository = await makeRepository({
    'a.ts': lines('export function f(x: number) {', '  return x / 0;', '}', '', 'export const one = 1;'),
    'a.test.ts': 'export const two = 2;\n',
  });
  await repository.write({
    'a.ts': lines('export function f(x: number) {', '  return x / 1;', '}', '', 'export const one = 1;'),
    'a.test.ts': 'export const three = 3;\n',
  });
  await repository.git('commit', '--quiet', '--all', '--message', 'fix: divide by something');
  const fix = await repository.git('rev-parse', 'HEAD');
  const before = await repository.git('rev-parse', 'HEAD~1');
  await repository.commit({ 'a.ts': 'export const one = 1;\n' });
  const out = path.join(await makeFolder(), 'cases');
  const made = await postil('make', 'bugs', '--repository', repository.folder, '--out', out);
  assert.equal(made.code, 0, made.err);
  const { bug, fix: mended } = await readCases(out);
  assert.deepEqual([bug!.base, bug!.head], [fix, before]);
  assert.deepEqual(bug!.golden, [{ path: 'a.ts', start_line: 2, end_line: 2 }]);
  assert.deepEqual([mended!.base, mended!.head, mended!.golden], [before, fix, []]);

  const list = path.join(await makeFolder(), 'fixes.txt');
  await writeFile(list, `# found by hand\n${fix.slice(0, 10)} because\n`);
  const named = path.join(await makeFolder(), 'named');
  const byList = await postil(
    'make',
    'bugs',
    '--repository',
    repository.folder,
    '--out',
    named,
    '--commits',
    list,
  );
  assert.equal(byList.code, 0, byList.err);
  assert.equal((await readCases(named)).bug!.base, fix);
  await writeFile(list, 'HEAD; rm -rf x\n');
  const faulty = await postil(
    'make',
    'bugs',
    '--repository',
    repository.folder,
    '--out',
    `${named}2`,
    '--commits',
    list,
  );
  assert.deepEqual([faulty.code, /"HEAD;" is not the id of a commit/.test(faulty.err)], [2, true]);
});

test('a shallow history, a missing or non-empty folder, and a history without cases are explained', async () => {
  const repository = await makeRepository({ 'a.ts': 'export const one = 1;\n' });
  await repository.commit({ 'a.ts': 'export const two = 2;\n' });
  const folder = await makeFolder();
  const shallow = path.join(folder, 'shallow');
  await run('git', ['clone', '--quiet', '--depth=1', `file://${repository.folder}`, shallow]);
  const ask = (...given: string[]) => postil('make', 'withheld', ...given);
  const cut = await ask('--repository', shallow, '--out', path.join(folder, 'a'));
  assert.equal(cut.code, 2);
  assert.match(cut.err, /No commit changes a symbol .* the history is shallow here, so fetch more of it/);
  const none = await ask('--repository', repository.folder, '--out', path.join(folder, 'b'));
  assert.match(none.err, /^No commit changes a symbol together with .* 0 commits were looked at\n$/);
  const nowhere = await ask('--repository', folder, '--out', path.join(folder, 'c'));
  assert.deepEqual([nowhere.code, /not a git repository/.test(nowhere.err)], [2, true]);
  const full = await ask('--repository', repository.folder, '--out', folder);
  assert.deepEqual([full.code, /is not empty; name a new folder with --out/.test(full.err)], [2, true]);
  const empty = await makeRepository();
  const unborn = await ask('--repository', empty.folder, '--out', path.join(folder, 'd'));
  assert.match(unborn.err, /HEAD does not point to one/);
});
