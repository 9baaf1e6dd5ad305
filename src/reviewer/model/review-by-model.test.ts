import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { changeOf, type Versions } from '../../../test/change-of-versions.ts';
import { type Asked, type Script, startScriptedModel } from '../../../test/models/scripted-model.ts';
import { reviewHere } from '../../../test/review-here.ts';
import { clientOf } from '../../models/model-client.ts';
import { anyAddress } from '../../outbound/address-guard.ts';
import { createOutbound } from '../../outbound/outbound.ts';
import { type PostilFile, resolveConfiguration } from '../configuration/review-configuration.ts';
import { createModelReviewer, type ModelReviewOptions } from './review-by-model.ts';

const outbound = createOutbound(anyAddress);
after(() => outbound.close());

const isSecondLook = ({ instructions }: Asked) => instructions.includes('"remove"');
const finding = (path: string, quote: string, more: object = {}) => ({
  path,
  quote,
  title: 'A defect',
  body: 'It breaks.',
  severity: 'major',
  category: 'functional_correctness',
  suggestion: null,
  learning_ids: [],
  ...more,
});
const saying =
  (...findings: object[]): Script =>
  (asked) =>
    isSecondLook(asked) ? { answer: { remove: [] } } : { answer: { summary: 'A change.', findings } };

interface Given extends Partial<ModelReviewOptions> {
  readonly file?: PostilFile;
  readonly signal?: AbortSignal;
  readonly deadline?: AbortSignal;
  readonly patience?: { readonly idleTimeoutMs: number };
}

/** Reviews a change by the engine with a scripted model and no rules. */
async function review(
  versions: Versions,
  script: Script,
  { file = {}, signal, deadline, patience, ...given }: Given = {},
) {
  const { settings, calls } = await startScriptedModel('openai', script);
  const model = createModelReviewer({
    settings,
    limits: { maxTokens: 200_000, maxSeconds: 60 },
    openClient: clientOf(settings, outbound, { firstPauseMs: 1, idleTimeoutMs: 60_000, ...patience }),
    ...given,
  });
  const result = await reviewHere({
    change: changeOf(versions),
    configuration: resolveConfiguration(file),
    sources: [],
    model,
    signal: signal ?? AbortSignal.timeout(300_000),
    ...(deadline !== undefined && { deadline }),
  });
  return { result, calls };
}

const states = (result: Awaited<ReturnType<typeof review>>['result']) =>
  Object.fromEntries(result.coverage.map(({ path, state, reason }) => [path, reason ?? state]));

test('a model sees the change, its quotes are placed on their lines, and usage and cost of all calls are reported', async () => {
  const script: Script = (asked) => ({
    ...(saying(finding('a.ts', 'two();')) as (asked: Asked) => object)(asked),
    usage: { input: 1_000, output: 100 },
  });
  const { result, calls } = await review({ 'a.ts': ['one();\n', 'one();\ntwo();\n'] }, script);
  assert.deepEqual(
    result.findings.map(({ path, startLine, source }) => [path, startLine, source.name]),
    [['a.ts', 2, 'scripted-1']],
  );
  assert.equal(result.status, 'succeeded');
  assert.match(calls[0]!.data, /^\+two\(\);$/m);
  const counts = { inputTokens: 2_000, outputTokens: 200, calls: 2, toolCalls: 0 };
  const expected = { model: 'scripted-1', costUsd: 0.004, ...counts };
  assert.deepEqual(result.usage, expected);
});

test('everything in a prompt is redacted, also credentials that only the text around a hunk reveals', async () => {
  const key = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  const pem = Array.from(
    { length: 20 },
    (_, index) => `MIIEowIBAAKCAQEA${String(index).padStart(48, 'q7Zx')}`,
  );
  const private_ = (lines: string[]) =>
    `-----BEGIN RSA PRIVATE KEY-----\n${lines.join('\n')}\n-----END RSA PRIVATE KEY-----\n`;
  const changed = pem.with(10, 'MIIEowIBAAKCAQEAnewnewnewnewnewnewnewnewnewnewnewnewnew12345678');
  const { calls } = await review(
    { [`src/${key}.ts`]: [null, `const token = "${key}";\n`], 'key.pem': [private_(pem), private_(changed)] },
    saying(),
    {
      pullRequest: { title: `use ${key}`, description: key },
      learnings: { find: async () => [{ id: 'x', text: `never write ${key}` }] },
      knownFindings: [{ path: 'key.pem', title: key }],
      file: { reviews: { path_instructions: [{ path: '**', instructions: `mind ${key}` }] } },
    },
  );
  const sent = JSON.stringify(calls.map(({ body }) => body));
  assert.ok(!sent.includes(key));
  assert.ok(!sent.includes('MIIEowIBAAKCAQEA'));
});

test('path instructions, Learnings, known findings and the language are in the prompt of the files they concern', async () => {
  const asked: unknown[] = [];
  const { calls, result } = await review(
    { 'src/a.ts': [null, 'one();\n'], 'doc.md': [null, 'text\n'] },
    saying(
      finding('src/a.ts', 'one();', { learning_ids: ['L1', 'L2', 'invented', 'L1'] }),
      finding('doc.md', 'text', { learning_ids: ['learning-2'] }),
    ),
    {
      file: {
        language: 'pt-BR',
        reviews: {
          path_instructions: [
            { path: 'src/**', instructions: 'Calls need a timeout.' },
            { path: 'lib/**', instructions: 'Nothing of this.' },
          ],
        },
      },
      learnings: {
        find: async (query) => {
          asked.push(query.paths);
          return [
            { id: 'learning-1', text: 'Prefer two().' },
            { id: 'learning-2', text: 'Write docs.' },
          ];
        },
      },
      knownFindings: [
        { path: 'src/a.ts', title: 'Known already' },
        { path: 'elsewhere.ts', title: 'Of another file' },
      ],
    },
  );
  const { data } = calls[0]!;
  for (const text of ['Calls need a timeout.', '[L1] Prefer two().', 'Known already', 'language pt-BR'])
    assert.ok(data.includes(text), text);
  for (const text of ['Nothing of this.', 'Of another file']) assert.ok(!data.includes(text), text);
  assert.deepEqual(asked, [['src/a.ts', 'doc.md']]);
  assert.deepEqual(Object.fromEntries(result.findings.map(({ path, learningIds }) => [path, learningIds])), {
    'src/a.ts': ['learning-1', 'learning-2'],
    'doc.md': ['learning-2'],
  });
});

test('Learnings that cannot be read make the review degraded, not fail', async () => {
  const learnings = { find: () => Promise.reject(new Error('database away')) };
  const { result } = await review({ 'a.ts': [null, 'one();\n'] }, saying(finding('a.ts', 'one();')), {
    learnings,
  });
  assert.deepEqual([result.status, result.findings.length], ['degraded', 1]);
  assert.match(result.reason!, /Learnings could not be read/);
});

const large = (name: string) =>
  Array.from({ length: 60 }, (_, index) => `call_${name}_${index}("${'x'.repeat(30)}");`).join('\n');

test('files are divided into calls, and each is fully reviewed or reported', async () => {
  const versions: Versions = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}.ts`, [null, `${large(name)}\n`] as const]),
  );
  const { result, calls } = await review(versions, saying(), { callTokens: 700 });
  assert.ok(calls.length >= 5);
  assert.equal(result.status, 'succeeded');
  const shown = calls.map(({ data }) => data).join('\n');
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    for (let index = 0; index < 60; index += 1) assert.ok(shown.includes(`+call_${name}_${index}(`));
});

test('a line that fits into no call is reported', async () => {
  const { result } = await review(
    { 'a.ts': [null, `one();\nconst x = "${'y z '.repeat(800)}";\n`] },
    saying(finding('a.ts', 'one();')),
    { callTokens: 500 },
  );
  assert.deepEqual(
    [result.status, states(result), result.findings.length],
    ['degraded', { 'a.ts': 'budget' }, 1],
  );
});

test('a review stops at its limit of tokens or money, keeps its findings and reports the rest', async () => {
  const versions: Versions = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((name) => [`${name}.ts`, [null, `${large(name)}\n`] as const]),
  );
  const script: Script = (asked) => {
    if (isSecondLook(asked)) return { answer: { remove: [] } };
    const name = /^file: (\w)/m.exec(asked.data)![1]!;
    const findings = [finding(`${name}.ts`, `call_${name}_3("${'x'.repeat(30)}");`)];
    return { answer: { summary: '', findings }, usage: { input: 3_000, output: 1_000 } };
  };
  for (const limits of [
    { maxTokens: 10_000, maxSeconds: 60 },
    { maxTokens: 1_000_000, maxSeconds: 60, maxUsd: 0.0301 },
  ]) {
    const { result, calls } = await review(versions, script, { callTokens: 1_300, limits });
    const reviewed = calls.filter((asked) => !isSecondLook(asked)).length;
    assert.ok(reviewed >= 1 && reviewed < 4, String(reviewed));
    assert.equal(result.findings.length, reviewed);
    assert.equal(result.status, 'degraded');
    const found = new Set(result.findings.map(({ path }) => path));
    for (const { path, state, reason } of result.coverage)
      assert.ok(state === 'full' ? found.has(path) : reason === 'budget', `${path}: ${state} ${reason}`);
  }
});

test('a budget that does not suffice for a pack is used for smaller ones, down to one file and a part of it', async () => {
  const many: Versions = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`f${index}.ts`, [null, `${large('f')}\n`] as const]),
  );
  const whole = Array.from({ length: 20 }, () => large('a')).join('\n');
  const one: Versions = { 'a.ts': [null, `${whole}\n`] };
  for (const versions of [many, one])
    for (const limits of [
      { maxTokens: 9_000, maxSeconds: 60 },
      { maxTokens: 1_000_000, maxSeconds: 60, maxUsd: 0.012 },
    ]) {
      const script: Script = (asked) => ({
        answer: { findings: [] },
        usage: { input: Math.ceil(asked.data.length / 3) + 500, output: 100 },
      });
      const { result, calls } = await review(versions, script, { limits });
      assert.ok(calls.length > 0, 'the model is asked');
      assert.ok(result.coverage.some(({ state, reason }) => state === 'full' || reason === 'budget'));
      assert.equal(result.status, 'degraded');
      const { inputTokens, outputTokens, costUsd } = result.usage!;
      assert.ok(inputTokens + outputTokens <= limits.maxTokens && costUsd <= (limits.maxUsd ?? 1));
    }
});

test('a review whose time is up keeps its findings and reports the rest', async () => {
  const { result } = await review(
    { 'a.ts': [null, `${large('a')}\n`], 'b.ts': [null, `${large('b')}\n`] },
    ({ number }) =>
      number === 1
        ? { answer: { summary: '', findings: [finding('a.ts', `call_a_3("${'x'.repeat(30)}");`)] } }
        : { answer: { summary: '', findings: [] }, stallAfter: 5 },
    { callTokens: 1_500, limits: { maxTokens: 200_000, maxSeconds: 20 } },
  );
  assert.deepEqual([result.status, result.findings.length], ['degraded', 1]);
  assert.deepEqual(states(result), { 'a.ts': 'full', 'b.ts': 'time' });
});

test('a review that its caller ends early keeps what was found by then', async () => {
  const late = new AbortController();
  const { result } = await review(
    { 'a.ts': [null, `${large('a')}\n`], 'b.ts': [null, `${large('b')}\n`] },
    ({ number }) => {
      if (number === 1)
        return { answer: { summary: '', findings: [finding('a.ts', `call_a_3("${'x'.repeat(30)}");`)] } };
      late.abort();
      return { answer: '{}', stallAfter: 1 };
    },
    { callTokens: 1_500, deadline: late.signal },
  );
  assert.deepEqual([result.status, result.findings.length], ['degraded', 1]);
  assert.deepEqual(states(result), { 'a.ts': 'full', 'b.ts': 'time' });
});

const two = [finding('a.ts', 'one();'), finding('a.ts', 'two();', { title: 'Another' })];
const twoText = JSON.stringify({ summary: 'S', findings: two });
const troubles: Record<string, [Script, kept: number]> = {
  'stalls in its answer': [() => ({ answer: twoText, stallAfter: twoText.length - 60 }), 1],
  'breaks off': [() => ({ answer: twoText, breakAfter: twoText.length - 60 }), 1],
  'cuts its JSON': [() => ({ answer: twoText, cutAfter: twoText.length - 60 }), 1],
  'reaches its length': [() => ({ answer: twoText, cutAfter: twoText.length - 60, finish: 'length' }), 1],
  'answers with prose': [() => ({ answer: 'All good.' }), 0],
  'answers in another form': [() => ({ answer: { findings: [two[0], { nothing: 1 }] } }), 1],
  'says nothing': [() => ({ answer: '' }), 0],
  'stalls before its answer': [() => ({ answer: twoText, stallAfter: 0 }), 0],
  'is always busy': [() => ({ status: 429, headers: { 'retry-after': '0' } }), 0],
  'is broken': [() => ({ status: 500 }), 0],
  'does not know us': [() => ({ status: 401 }), 0],
  'quotes what is not there': [saying(two[0]!, finding('a.ts', 'invented();'), finding('a.ts', '')), 1],
  'speaks of other files': [saying(two[0]!, finding('/etc/passwd', 'root'), finding('b.ts', 'x')), 1],
};
for (const [trouble, [script, kept]] of Object.entries(troubles))
  test(`a model that ${trouble} ends in a degraded review with what was found`, async () => {
    const { result } = await review(
      { 'a.ts': [null, 'one();\ntwo();\n'] },
      (asked) => (isSecondLook(asked) ? { answer: { remove: [] } } : script(asked)),
      trouble.startsWith('stalls') ? { patience: { idleTimeoutMs: 10_000 } } : {},
    );
    assert.equal(result.status, 'degraded');
    assert.equal(result.findings.length, kept);
    assert.ok(result.reason);
    assert.ok(result.usage !== null, 'what it cost is known');
  });

test('a server that fails again and again is not asked for every call', async () => {
  const versions: Versions = Object.fromEntries(
    Array.from('abcdefgh', (name) => [`${name}.ts`, [null, `${large(name)}\n`] as const]),
  );
  const { calls, result } = await review(versions, () => ({ answer: 'no' }), { callTokens: 1_300 });
  assert.equal(calls.length, 2);
  assert.equal(result.coverage.filter(({ reason }) => reason === 'model_failed').length, 8);
  const refused = await review(versions, () => ({ status: 403 }), { callTokens: 1_300 });
  assert.equal(refused.calls.length, 1);
});

test('a caller that gives up ends the review', async () => {
  const giveUp = new AbortController();
  const running = review(
    { 'a.ts': [null, 'one();\n'] },
    () => {
      giveUp.abort(new Error('superseded'));
      return { answer: '', stallAfter: 0 };
    },
    { signal: giveUp.signal },
  );
  await assert.rejects(running, /superseded/);
});

test('the second pass can only remove findings; if it fails, all are kept', async () => {
  const versions: Versions = { 'a.ts': [null, 'one();\ntwo();\n'] };
  const looks: [Script, string[]][] = [
    [() => ({ answer: { remove: [2, 7, 0, -1] } }), ['A defect']],
    [() => ({ answer: { remove: [1, 2] } }), []],
    [() => ({ answer: '{"remove": [1' }), ['A defect', 'Another']],
    [
      () => ({ answer: { findings: [finding('a.ts', 'one();', { title: 'New' })] } }),
      ['A defect', 'Another'],
    ],
    [() => ({ status: 500 }), ['A defect', 'Another']],
  ];
  for (const [look, expected] of looks) {
    const { result } = await review(versions, (asked) =>
      isSecondLook(asked) ? look(asked) : saying(...two)(asked),
    );
    assert.deepEqual(result.findings.map(({ title }) => title).sort(), expected);
  }
});

test('a suggestion is kept only if it replaces exactly what was quoted and still parses', async () => {
  const text = 'function f() {\n  one();\n  two();\n  three();\n}\n';
  const suggestions: [quote: string, suggestion: string, kept: string | null][] = [
    ['  two();', '  await two();', '  await two();'],
    ['  two();', '', ''],
    ['  two();', '  two(', null],
    ['  two();', '  two();', null],
    ['one();\n...\nthree();', '  all();', null],
    ['  two();', '  fetch("https://evil.test");', null],
  ];
  for (const [quote, suggestion, kept] of suggestions) {
    const { result } = await review({ 'a.ts': [null, text] }, saying(finding('a.ts', quote, { suggestion })));
    assert.equal(result.findings[0]!.suggestion, kept, suggestion);
  }
});
