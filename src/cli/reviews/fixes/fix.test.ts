import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, link, lstat, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { childEnvironment } from '../../../../test/child-environment.ts';
import { makeRepository } from '../../../../test/git-repository.ts';
import { removeFolder } from '../../../../test/remove-folder.ts';
import { writeFixes } from './write-fixes.ts';

const main = path.join(import.meta.dirname, '../../main.ts');

async function review(folder: string, ...given: string[]) {
  const options = { cwd: folder, env: childEnvironment };
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [main, 'review', ...given], options, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

const base = 'export const a = 1;\r\n';
const added = 'export function f(x) {\r\n  if (x === NaN) return  1;\r\n  return x == NaN';

const fixedBoth = 'Fixed 2 findings in 1 file:\n  a.js:3  oxlint/use-isnan\n  a.js:4  oxlint/use-isnan\n';

test('--fix applies what rules suggest and nothing else, and names what it fixed separately from the result', async () => {
  const { folder, write } = await makeRepository({ 'a.js': base, 'b.js': 'export const b = 1;\n' });
  await write({ 'a.js': `${base}${added};\r\n}`, 'b.js': 'export const b  = 2;\n' });
  const { code, out, err } = await review(folder, '--fix', '--format', 'json', '--fail-on', 'major');
  assert.equal(err, fixedBoth);
  assert.equal(code, 0, 'what is fixed does not fail');
  assert.equal(JSON.parse(out).findings.length, 2);
  const now = await readFile(path.join(folder, 'a.js'), 'utf8');
  assert.equal(
    now,
    `${base}export function f(x) {\r\n  if (Number.isNaN(x)) return  1;\r\n  return Number.isNaN(x);\r\n}`,
  );
  assert.equal(await readFile(path.join(folder, 'b.js'), 'utf8'), 'export const b  = 2;\n');
  assert.deepEqual((await readdir(folder)).sort(), ['.git', 'a.js', 'b.js']);
  assert.equal((await review(folder, '--fix')).err, 'Nothing was fixed.\n');
});

test('--fix also applies fixes of findings beyond the maximum number of comments', async () => {
  const { folder, write } = await makeRepository({
    '.postil.yaml': 'reviews:\n  max_comments: 1\n',
    'a.js': base,
  });
  await write({ 'a.js': `${base}${added};\r\n}` });
  assert.equal((await review(folder, '--fix')).err, fixedBoth);
});

test('--fix together with --head is incorrect usage, and changes nothing', async () => {
  const { folder, write } = await makeRepository({ 'a.js': base });
  const text = `${base}${added};\r\n}\r\n`;
  await write({ 'a.js': text });
  const { code, out, err } = await review(folder, '--fix', '--head', 'HEAD');
  assert.deepEqual([code, out], [2, '']);
  assert.match(err, /--head/);
  assert.equal(await readFile(path.join(folder, 'a.js'), 'utf8'), text);
});

test('a file that was edited or deleted, is read-only or a link is left unchanged; others keep their permissions', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'postil-fixes-'));
  after(() => removeFolder(root));
  const at = (name: string) => path.join(root, name);
  for (const name of ['good', 'edited', 'read-only', 'target', 'late', 'linked'])
    await writeFile(at(name), 'before\n');
  await chmod(at('good'), 0o750);
  await chmod(at('read-only'), 0o444);
  await symlink('target', at('link'));
  await link(at('linked'), at('other-name'));
  // File times are coarser than clocks.
  await pause(50);
  const reviewedAt = new Date();
  await writeFile(at('edited'), 'something else\n');
  await pause(50);
  await writeFile(at('late'), 'before\n');
  const names = ['good', 'edited', 'read-only', 'link', 'gone', 'late', 'linked'];
  const texts = names.map((name) => ({ path: name, before: 'before\n', after: 'after\n', fixed: [name] }));
  const { fixed, files, refused } = await writeFixes(root, texts, reviewedAt);
  assert.deepEqual([[...fixed], files], [['good', 'linked'], 2]);
  assert.deepEqual(
    refused.map(({ path: name, reason }) => `${name}: ${reason}`),
    [
      'edited: it was changed meanwhile',
      'read-only: it is read-only',
      'link: it was changed meanwhile',
      'gone: it was changed meanwhile',
      'late: it was changed meanwhile',
    ],
  );
  const texted = async (name: string) => `${name} ${await readFile(at(name), 'utf8')}`;
  assert.deepEqual(await Promise.all((await readdir(root)).sort().map(texted)), [
    'edited something else\n',
    'good after\n',
    'late before\n',
    'link before\n',
    'linked after\n',
    'other-name before\n',
    'read-only before\n',
    'target before\n',
  ]);
  assert.equal((await lstat(at('good'))).mode & 0o777, 0o750);
});
