import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAnswer, readRemovals } from './read-answer.ts';

const finding = {
  path: 'a.ts',
  quote: 'x',
  title: 'T',
  body: 'B',
  severity: 'major',
  category: 'functional_correctness',
  suggestion: null,
  learning_ids: [],
};
const whole = JSON.stringify({ summary: 'S', findings: [finding, { ...finding, title: 'U' }] });

test('an answer is read whatever surrounds it', async () => {
  for (const text of [
    whole,
    `\`\`\`json\n${whole}\n\`\`\``,
    `Here it is: ${whole} I hope that helps.`,
    `<think>maybe {"findings": []}?</think>\n${whole}`,
  ]) {
    const read = await readAnswer(text, true);
    assert.deepEqual([read.findings.length, read.isFaulty], [2, false], text);
  }
});

test('of a truncated answer, every complete finding is kept and no partial one', async () => {
  for (let length = 1; length < whole.length; length += 1) {
    const read = await readAnswer(whole.slice(0, length), false);
    assert.equal(read.isFaulty, true);
    for (const { title, body } of read.findings) assert.match(title + body, /^[TU]B$/);
  }
  const read = await readAnswer(whole.slice(0, -40), true);
  assert.deepEqual(
    read.findings.map(({ title }) => title),
    ['T'],
  );
});

test('findings of another form are left out, the others are kept', async () => {
  const findings = [
    finding,
    'text',
    { ...finding, path: undefined },
    { ...finding, severity: 'Huge', category: 7, suggestion: 5, learning_ids: 'x', extra: 1 },
  ];
  const read = await readAnswer(JSON.stringify({ findings }), true);
  assert.deepEqual(
    read.findings.map(({ severity, category, suggestion }) => [severity, category, suggestion]),
    [
      ['major', 'functional_correctness', null],
      ['minor', 'functional_correctness', null],
    ],
  );
  assert.equal(read.isFaulty, true);
});

test('a related place of another form is left out, the others are kept', async () => {
  const place = { path: 'b.ts', quote: 'y', text: 'its caller' };
  const answered = {
    ...finding,
    related: [place, 'text', { ...place, path: 7 }, { ...place, text: 'another' }],
  };
  const read = await readAnswer(
    JSON.stringify({ findings: [answered, { ...finding, related: 'all' }] }),
    true,
  );
  assert.deepEqual(
    read.findings.map(({ related }) => related?.map(({ text }) => text) ?? null),
    [['its caller', 'another'], null],
  );
});

test('a text that is not an answer is faulty', async () => {
  for (const text of [
    '',
    'No problems found!',
    '{"other": 1}',
    '[1, 2',
    'null',
    '{"findings": "none"}',
    '{{{',
  ])
    assert.deepEqual((await readAnswer(text, true)).findings, [], text);
  assert.equal((await readAnswer('Looks good', true)).isFaulty, true);
  assert.equal((await readAnswer('{"summary":"","findings":[]}', true)).isFaulty, false);
});

test('a second pass removes only findings that it names in a complete answer', async () => {
  assert.deepEqual([...(await readRemovals('{"remove":[1,"3"]}', true))], [1, 3]);
  for (const text of ['{"remove":[1,', '{"remove":"all"}', '', '{"keep":[2]}'])
    assert.deepEqual([...(await readRemovals(text, true))], [], text);
  assert.deepEqual([...(await readRemovals('{"remove":[1]}', false))], []);
});
