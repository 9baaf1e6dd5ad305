import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { readReviewerComment } from './read-reviewer-comment.ts';
import { readSuggestions } from './read-suggestions.ts';

const block = (info: string, ...lines: string[]) => ['', `\`\`\`${info}`, ...lines, '```', ''].join('\n');

test('every form of a suggestion is read: blocks, diffs, pairs of blocks, search and replace, code', () => {
  const cases: [string, string, string[] | null, string[]][] = [
    [block('suggestion', 'let a;'), 'block', null, ['let a;']],
    [block('diff', '@@ -1 +1 @@', ' x', '-let a;', '+let b;'), 'diff', ['let a;'], ['let b;']],
    [block('diff', '-  debug();'), 'diff', ['  debug();'], []],
    [
      `I suggest changing${block('', '+ a(', '+ b)')}to${block('', '+ a(b)')}`,
      'pair',
      [' a(', ' b)'],
      [' a(b)'],
    ],
    [
      block('python', '<<<<<<< SEARCH', 'a = 1', '=======', 'a = 2', '>>>>>>> REPLACE'),
      'pair',
      ['a = 1'],
      ['a = 2'],
    ],
    [`This reads better:${block('ts', 'const a = 1;')}`, 'code', null, ['const a = 1;']],
  ];
  for (const [body, form, removes, brings] of cases)
    assert.deepEqual(readSuggestions(body), [{ form, removes, brings }], body);
  assert.deepEqual(readSuggestions(block('log', 'Error: failed')), []);
});

test('a block that hosts apply is read however it is fenced, and also where it takes lines away', () => {
  const read = { form: 'block', removes: null, brings: ['let a;'] };
  for (const body of [
    '~~~suggestion\nlet a;\n~~~',
    '``` suggestion\nlet a;\n```  ',
    'Like this:\r\n```suggestion\r\nlet a;\r\n```\r\n',
    '> ```suggestion\n> let a;\n> ```',
    '```suggestion\nlet a;',
  ]) {
    assert.deepEqual(readSuggestions(body), [read], body);
    assert.equal(readReviewerComment(body).suggestion, 'let a;', body);
  }
  const nested = ['```js', 'let a;', '```'];
  const fenced = `\`\`\`\`suggestion\n${nested.join('\n')}\n\`\`\`\``;
  assert.deepEqual(readSuggestions(fenced), [{ ...read, brings: nested }]);
  const two = block('suggestion', 'let a;') + block('suggestion', 'let b;');
  assert.deepEqual(readSuggestions(two), [read, { ...read, brings: ['let b;'] }]);
  assert.deepEqual(readSuggestions(block('suggestion')), [{ ...read, brings: [] }]);
  const reach = { above: 0, below: 12 };
  assert.deepEqual(readSuggestions(block('suggestion:-0+12', 'let a;')), [{ ...read, reach }]);
});

test('"replace X with Y" is read where both are marked, in the right direction', () => {
  const words = (body: string) =>
    readSuggestions(body).map(({ removes, brings }) => [removes?.[0], brings[0]]);
  for (const body of [
    'Please change `foo` to `bar`.',
    'nit: rename the variable `foo` to `bar`',
    'Replace `foo` with `bar`',
    'Use `bar` instead of `foo` here',
    '`foo` -> `bar`',
    '`foo` should be `bar`',
    's/foo/bar/',
    '"foo" → "bar"',
  ])
    assert.deepEqual(words(body), [['foo', 'bar']], body);
  assert.deepEqual(words('Change foo to bar. See `foo` and `bar`.'), []);
});

test('any text can be read', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('`', '`', '`', '\n', '-', '+', 'a', ' ', '"', '/') }),
      (body) => {
        for (const { brings } of readSuggestions(body)) assert.ok(brings.length <= 200);
      },
    ),
  );
});
