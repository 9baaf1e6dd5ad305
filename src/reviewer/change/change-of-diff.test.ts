import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTwoFilesPatch } from 'diff';
import fc from '../../../test/properties.ts';
import { workHere } from '../process/run-here.ts';
import { checkSentDiff, withSentDiff } from '../review/sent-diff/sent-diff.ts';
import { changeOfDiff } from './change-of-diff.ts';
import { openChange } from './change-source.ts';
import { DiffError } from './file-sections.ts';
import { mapLines } from './hunks.ts';

const gitDiff = `diff --git a/src/a b.ts b/src/a b.ts
index 1111111..2222222 100644
--- a/src/a b.ts\t
+++ b/src/a b.ts\t
@@ -1,2 +1,3 @@
 one
-two
+2
+three
diff --git a/old.ts b/new.ts
similarity index 100%
rename from old.ts
rename to new.ts
diff --git a/x.png b/x.png
index 1111111..2222222 100644
Binary files a/x.png and b/x.png differ
diff --git a/n.sh b/n.sh
new file mode 100755
index 0000000..2222222
--- /dev/null
+++ b/n.sh
@@ -0,0 +1,2 @@
+echo
+ls
`;

test('a diff of Git becomes a change, with the text of new files and of those whose content is given', async () => {
  const { files } = changeOfDiff(gitDiff, [{ path: 'src/a b.ts', content: 'one\n2\nthree\n' }]);
  assert.deepEqual(
    files.map((file) => [file.path, file.oldPath, file.kind, file.missing, [...file.addedLines]]),
    [
      ['src/a b.ts', 'src/a b.ts', 'modified', null, [2, 3]],
      ['new.ts', 'old.ts', 'renamed', null, []],
      ['x.png', 'x.png', 'modified', 'binary', []],
      ['n.sh', null, 'added', null, [1, 2]],
    ],
  );
  assert.equal(await files[0]!.oldText(), 'one\ntwo\n');
  assert.equal(await files[1]!.newText(), undefined);
  assert.equal(await files[3]!.newText(), 'echo\nls\n');
});

test('a plain unified diff is read too', () => {
  const { files } = changeOfDiff(
    '--- lib/x.py\n+++ lib/x.py\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+c\n',
  );
  assert.deepEqual(
    files.map((file) => [file.path, file.kind]),
    [
      ['lib/x.py', 'modified'],
      ['new.py', 'added'],
    ],
  );
});

test('a text that is not a diff, and a diff that contradicts itself or the given contents, are refused', () => {
  const change = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';
  assert.throws(() => changeOfDiff('no diff'), /cannot be read|no file|no "---"/);
  assert.throws(() => changeOfDiff(change.replace('+1 @@', '+1,5 @@')), { name: 'DiffError' });
  assert.throws(() => changeOfDiff(change, [{ path: 'y', content: '' }]), /"y" is not in the diff/);
  assert.throws(() => changeOfDiff(change, [{ path: 'x', content: 'c\n' }]), /"x" has another line 1/);
  assert.throws(() => changeOfDiff(change + change), /more than once/);
  assert.deepEqual(changeOfDiff('').files, []);
});

test('the old text is rebuilt from the new one and the hunks, and lines map to their old positions', async () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '', '}', '--- x', '+++ y'), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      const [oldText, newText] = [before, after].map((lines) => lines.map((line) => `${line}\n`).join(''));
      if (oldText === newText) return;
      const patch = createTwoFilesPatch('a/f', 'b/f', oldText!, newText!, '', '', { context: 2 });
      const [file] = changeOfDiff(patch, [{ path: 'f', content: newText! }]).files;
      assert.equal(await file!.oldText(), oldText);
      for (const [index, line] of after.entries()) {
        const old = mapLines(file!.hunks).oldLineOf(index + 1);
        if (old === null) assert.ok(file!.addedLines.has(index + 1));
        else assert.equal(before[old - 1], line);
      }
    }),
    { numRuns: 300 },
  );
});

test('a path that leads out of the repository, or is not a path, is refused', () => {
  for (const name of ['../x', 'src/../../x', '/etc/passwd', './x', 'src//x', `${'x/'.repeat(3_000)}y`])
    assert.throws(
      () => changeOfDiff(`--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-a\n+b\n`),
      /is not a path in a repository/,
      name.slice(0, 50),
    );
  assert.throws(() => changeOfDiff('--- /etc/passwd\n+++ /etc/passwd\n@@ -1 +1 @@\n-a\n+b\n'), DiffError);
  assert.throws(
    () =>
      changeOfDiff(
        'diff --git "a/x\\000y" "b/x\\000y"\n--- "a/x\\000y"\n+++ "b/x\\000y"\n@@ -1 +1 @@\n-a\n+b\n',
      ),
    DiffError,
  );
});

test('contents that are given twice are refused', () => {
  const files = [
    { path: 'a', content: 'b\n' },
    { path: 'a', content: 'b\n' },
  ];
  assert.throws(() => changeOfDiff('--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n', files), /more than once/);
});

test('a text of nothing but line feeds is refused quickly', () => {
  assert.throws(() => changeOfDiff(`${'\n'.repeat(1024 * 1024)}x`), DiffError);
});

test('a sent diff is read from its file, with the same result; one that cannot be parsed is refused', async () => {
  const content = Array.from({ length: 4_000 }, (_, index) => `line ${index}\n`).join('');
  const diff = createTwoFilesPatch('a/a.ts', 'b/a.ts', 'x\n', content);
  const sent = { diff, files: [{ path: 'a.ts', content }] };
  const processes = workHere(async () => []);
  await checkSentDiff(processes, 'acme', sent);
  const read = await withSentDiff(sent, openChange);
  const here = changeOfDiff(diff, sent.files);
  assert.deepEqual(read.files[0]!.hunks, here.files[0]!.hunks);
  assert.equal(await read.files[0]!.oldText(), await here.files[0]!.oldText());
  await assert.rejects(checkSentDiff(processes, 'acme', { ...sent, diff: 'x'.repeat(100_000) }), DiffError);
  await assert.rejects(checkSentDiff(processes, 'acme', { diff: ' \n', files: [] }), /contains no files/);
});
