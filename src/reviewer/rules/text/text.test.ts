import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text, textExamples } from './text.ts';

/** The findings about one text, as `line rule`. */
async function saidOf(path: string, ...lines: string[]): Promise<string[]> {
  const [found] = await text.find([{ path, text: `${lines.join('\n')}\n` }], AbortSignal.timeout(300_000));
  return found!.map(({ startLine, rule }) => `${startLine} ${rule.replace('text/', '')}`);
}

test('every rule finds its own fault in the example that fails, and nothing in the other', async () => {
  for (const [rule, { path, fails, passes }] of Object.entries(textExamples)) {
    assert.deepEqual(
      (await saidOf(path, fails)).map((each) => each.replace(/^\d+ /, '')),
      [rule],
    );
    assert.deepEqual(await saidOf(path, passes), [], rule);
  }
});

const conflict = ['<<<<<<< HEAD', 'one', '=======', 'two', '>>>>>>> other'];

test('a conflict that was left in is found in any text; an example of one is not', async () => {
  for (const path of ['a.rb', 'readme.md', 'a.json', 'Makefile'])
    assert.deepEqual(await saidOf(path, 'first', ...conflict), ['2 conflict'], path);
  assert.deepEqual(await saidOf('git.md', '```', ...conflict, '```'), []);
  assert.deepEqual(await saidOf('spec/a_spec.rb', ...conflict), []);
  assert.deepEqual(await saidOf('a.ts', ...conflict), [], 'its parser says so');
  assert.deepEqual(await saidOf('notes.txt', '<<<<<<< see', 'Title', '======='), []);
});

test('characters that reorder code are found, but not where people write from right to left', async () => {
  const line = 'if (a) { /*\u202e } \u2066 */';
  assert.deepEqual(await saidOf('a.c', 'x', line), ['2 bidirectional']);
  assert.deepEqual(await saidOf('a.js', "show('\u2066(20 %)\u2069');"), [], 'nothing moves');
  assert.deepEqual(await saidOf('a.js', "show('\u2066 /* \u202e \u2069');"), ['1 bidirectional']);
  for (const path of ['ar.json', 'readme.md', 'a_test.go'])
    assert.deepEqual(await saidOf(path, `"${line}"`), []);
});

test('JSON that nothing can read is found; comments, lines of their own, templates and marks of order are not', async () => {
  assert.deepEqual(await saidOf('a.json', '{', '  "a": 1', '  "b": 2', '}'), ['3 json']);
  assert.deepEqual(await saidOf('a.json', '{ "a": [1, 2 }'), ['1 json']);
  assert.deepEqual(await saidOf('a.json', '{ "a": 1'), ['1 json']);
  assert.deepEqual(await saidOf('package.json', '{ "a": 1, }'), ['1 json']);
  for (const lines of [
    ['// why', '{ "a": "// no /* comment", /* b */ "c": [1, 2,], }'],
    ['{"a":1}', '{"a":2}'],
    ['{ "a": {{ value }} }'],
    ['\uFEFF{ "a": 1 }'],
    [''],
  ])
    assert.deepEqual(await saidOf('tsconfig.json', ...lines), [], lines.join('\n'));
});

test('a key that stands twice in one object of JSON is found, also beside comments; notes are not', async () => {
  assert.deepEqual(
    await saidOf('a.json', '{', '  "a": 1,', '  "b": [{ "a": 2 }, { "a": 3 }],', '  "a": 4', '}'),
    ['4 json-key'],
  );
  assert.deepEqual(
    await saidOf('tsconfig.json', '{ // "a": 1', '  "x": { "a": 1,', '    "\\u0061": 2, },', '}'),
    ['3 json-key'],
  );
  assert.deepEqual(
    await saidOf('package.json', '{', '  "//": "one",', '  "//": "two",', '  "a": { "b": 1 }, "b": 2', '}'),
    [],
  );
});

test('a file of comments or strings that nothing closes is read once, not once for each of them', async () => {
  for (const endless of ['/*', '\\"'])
    assert.deepEqual(await saidOf('a.json', `{ "a": ${endless.repeat(400_000)}`), ['1 json']);
});

test('YAML that cannot be read, or has a key twice, is found; templates, tags and merges are not', async () => {
  assert.deepEqual(await saidOf('a.yml', 'a: 1', 'b: 2', 'a: 3'), ['3 yaml']);
  assert.deepEqual(await saidOf('a.yaml', 'a:', '  b: 1', ' c: 2'), ['3 yaml']);
  assert.deepEqual(await saidOf('a.yaml', 'a: [1, 2', 'b: 3'), ['2 yaml']);
  for (const lines of [
    ['a: {{ .Values.a }}', 'a: 2'],
    ['Key: !Ref Other', 'List: !GetAtt a.b'],
    ['x: &x { a: 1 }', 'y: &y { b: 1 }', 'z:', '  <<: *x', '  <<: *y'],
    ['---', 'a: 1', '---', 'a: 2'],
    ['on: push', 'yes: no', 'key: "a: b"'],
  ])
    assert.deepEqual(await saidOf('a.yml', ...lines), [], lines.join('\n'));
});
