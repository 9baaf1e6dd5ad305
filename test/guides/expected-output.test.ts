import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertShown } from './expected-output.ts';
import { stepsOf } from './guide.ts';

test('JSON is compared by value, and … matches anything', () => {
  const output = '{"id":"0199-abc","score":0.2604,"list":[{"a":1,"b":2},3],"none":null}';
  for (const shown of [
    '{"id":"0199…","score":0.26…,"list":[{"a":1,"…":"…"},3],"none":null}',
    '{ "none": null, "list": [{ "b": 2, "a": 1 }, "…"], "…": "…" }',
    '{"id":"…","score":"…","list":"…","none":"…"}',
  ])
    assertShown('json', shown, output);
  for (const shown of [
    '{"id":"0198…","…":"…"}',
    '{"id":"0199-abc"}',
    '{"list":[{"a":1},3],"…":"…"}',
    '{"list":[{"a":1,"b":2}],"…":"…"}',
    '{"score":0.27…,"…":"…"}',
    '{"none":{},"…":"…"}',
    '{"other":1,"…":"…"}',
  ])
    assert.throws(() => assertShown('json', shown, output), shown);
});

test('text is compared line by line, and a line … matches any lines', () => {
  const output = 'ID    NAME  \nab12  ci\ncd34  bi\ndone\n';
  for (const shown of ['ID    NAME\nab…  ci\n…\ndone', 'ID    NAME\n…', '…'])
    assertShown('text', shown, output);
  for (const shown of ['ID    NAME', 'ID    NAME\nab…  bi\n…', '…\ngone'])
    assert.throws(() => assertShown('text', shown, output), shown);
});

test('every block of a guide is run, is the output of another block, or states why it is not run', () => {
  const block = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\`\n`;
  const steps = stepsOf(
    [
      block('sh', 'one'),
      'It prints:',
      block('json', '{}'),
      block('sh no-run: for show', 'x'),
      block('sh', 'two'),
    ].join('\n'),
  );
  assert.deepEqual(
    steps.map(({ commands, output }) => [commands, output?.text]),
    [
      ['one', '{}'],
      ['two', undefined],
    ],
  );
  for (const text of [
    block('json', '{}'),
    block('sh no-run: x', 'a') + block('json', '{}'),
    block('sh', 'a') + block('json', '{}') + block('json', '{}'),
    block('yaml', 'a: 1'),
    block('', 'a'),
    block('sh no-run', 'a'),
    '```sh\nwithout end',
  ])
    assert.throws(() => stepsOf(text), text);
});
