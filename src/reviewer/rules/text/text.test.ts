import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text, textExamples } from './text.ts';

/** The findings about one text, as `line rule`. */
async function saidOf(path: string, ...lines: string[]): Promise<string[]> {
  const [found] = await text.find([{ path, text: `${lines.join('\n')}\n` }], AbortSignal.timeout(300_000));
  return found!.map(({ startLine, rule }) => `${startLine} ${rule.replace('text/', '')}`);
}

test('every rule finds its own fault in its failing example, and nothing in its passing one', async () => {
  for (const [rule, { path, fails, passes }] of Object.entries(textExamples)) {
    assert.deepEqual(
      (await saidOf(path, fails)).map((each) => each.replace(/^\d+ /, '')),
      [rule],
    );
    assert.deepEqual(await saidOf(path, passes), [], rule);
  }
});

const conflict = ['<<<<<<< HEAD', 'one', '=======', 'two', '>>>>>>> other'];

test('a leftover conflict is found in any text, but not an example of one', async () => {
  for (const path of ['a.rb', 'readme.md', 'a.json', 'Makefile'])
    assert.deepEqual(await saidOf(path, 'first', ...conflict), ['2 conflict'], path);
  assert.deepEqual(await saidOf('git.md', '```', ...conflict, '```'), []);
  assert.deepEqual(await saidOf('spec/a_spec.rb', ...conflict), []);
  assert.deepEqual(await saidOf('a.ts', ...conflict), [], 'its parser reports it');
  assert.deepEqual(await saidOf('notes.txt', '<<<<<<< see', 'Title', '======='), []);
});

test('characters that reorder code are found, but not in right-to-left prose', async () => {
  const line = 'if (a) { /*\u202e } \u2066 */';
  assert.deepEqual(await saidOf('a.c', 'x', line), ['2 bidirectional']);
  assert.deepEqual(await saidOf('a.js', "show('\u2066(20 %)\u2069');"), [], 'nothing is reordered');
  assert.deepEqual(await saidOf('a.js', "show('\u2066 /* \u202e \u2069');"), ['1 bidirectional']);
  for (const path of ['ar.json', 'readme.md', 'a_test.go'])
    assert.deepEqual(await saidOf(path, `"${line}"`), []);
});

test('invalid JSON is found; comments, JSON lines, templates and byte order marks are accepted', async () => {
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

test('a duplicate key of a JSON object is found, even among comments; keys for notes may be repeated', async () => {
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

test('a file of unclosed comments or strings is read once, not once for each of them', async () => {
  for (const endless of ['/*', '\\"'])
    assert.deepEqual(await saidOf('a.json', `{ "a": ${endless.repeat(400_000)}`), ['1 json']);
});

test('invalid YAML and duplicate keys are found; templates, tags and merges are accepted', async () => {
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

test('a workflow that is not valid YAML is found, although it contains expressions', async () => {
  const said = (...lines: string[]) =>
    saidOf('.github/workflows/ci.yml', 'on: push', 'jobs:', '  build:', ...lines);
  const steps = ['    steps:', `      - run: echo "\${{ github.sha }}"`, `        if: \${{ success() }}`];
  assert.deepEqual(await said('    runs-on: ubuntu-latest', ...steps), []);
  assert.deepEqual(await said('    runs-on: ubuntu-latest', ...steps, '       name: late'), ['8 yaml']);
  assert.deepEqual(await said('    runs-on: [ubuntu-latest', ...steps), ['5 yaml']);
  assert.deepEqual(await said(...steps, '    runs-on: a', '    runs-on: b'), ['8 yaml']);
});
