import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import { z } from 'zod';
import { clientOf } from '../../src/models/model-client.ts';
import { anyAddress } from '../../src/outbound/address-guard.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { resolveConfiguration } from '../../src/reviewer/configuration/review-configuration.ts';
import { askModel } from '../../src/reviewer/model/answering/answer-check.ts';
import { Budget } from '../../src/reviewer/model/budget.ts';
import { speaksToReviewer } from '../../src/reviewer/review/asking/orders.ts';
import { work as show } from '../../src/reviewer/review/asking/show-part.ts';
import { changeOf } from '../change-of-versions.ts';
import { type Asked, type Scripted, startScriptedModel } from '../models/scripted-model.ts';
import { faultsIn, forbidden, secret } from './forbidden.ts';

const outbound = createOutbound(anyAddress);
after(() => outbound.close());
const question = { name: 'no-pii-in-logs', instructions: 'Fail if personal data is logged.' };
const logged = 'logger.info(user.email);';

/** Asks the model about a change, and returns what was sent to it and the interpreted answer. */
async function ask(
  files: Record<string, [string | null, string | null]>,
  scripted: Scripted,
  { maxTokens = 40_000, budget = 200_000 } = {},
) {
  const seen: Asked[] = [];
  const { settings } = await startScriptedModel('openai', (asked) => {
    seen.push(asked);
    return scripted;
  });
  const shown = await show(
    {
      change: { kind: 'diff', file: '' },
      configuration: resolveConfiguration({}),
      maxTokens,
      names: [question.name],
    },
    { openChange: async () => changeOf(files) },
  );
  const limits = { maxTokens: budget, maxSeconds: 60 };
  const answer = await askModel(
    clientOf(settings, outbound)(Date.now() + 60_000),
    new Budget(settings, limits, AbortSignal.timeout(300_000)),
    question,
    shown,
    { repositoryUrl: 'https://git.acme.test/acme/api' },
  );
  return { seen, answer };
}

const says = (verdict: string, quote: string, reason = 'As it was told.') => ({
  answer: { verdict, quote, reason },
});

const cases = z
  .array(z.strictObject({ name: z.string(), place: z.enum(['code', 'file_name']), order: z.string() }))
  .parse(parse(await readFile(path.join(import.meta.dirname, 'checks/orders.yaml'), 'utf8')));

for (const { name, place, order } of cases)
  test(`${name} does not make a check pass`, async () => {
    const inCode = place === 'code' ? order : 'const one = 1;';
    const file = place === 'file_name' ? order : 'src/a.ts';
    const text = `${inCode}\n${logged}\nconst token = "${secret}";\n`;
    const { seen, answer } = await ask({ [file]: [null, text] }, says('passed', logged));
    assert.equal(seen.length, 1);
    assert.ok(
      seen[0]!.data.includes(place === 'code' ? order.split('\n')[0]! : order),
      'it did not reach the model',
    );
    assert.doesNotMatch(JSON.stringify(seen[0]!.body), forbidden['a credential']!);
    assert.ok('verdict' in answer);
    assert.equal(answer.verdict, 'inconclusive', answer.text);
    assert.match(answer.text, /tries to influence this check/);
    const failed = (await ask({ [file]: [null, text] }, says('failed', logged))).answer;
    assert.ok('verdict' in failed && failed.verdict === 'failed', 'a fault that was found stays one');
  });

test('a verdict counts with a quote that occurs in the change, however it is indented or marked', async () => {
  const files = { 'src/a.ts': ['const a = 1;\n', `const a = 1;\nif (a) {\n    ${logged}\n}\n`] } as Record<
    string,
    [string, string]
  >;
  for (const quote of [logged, `  ${logged}`, `+    ${logged}`, `if (a) {\n${logged}`])
    assert.deepEqual(
      (await ask(files, says('failed', quote, 'The address is logged.'))).answer,
      { verdict: 'failed', text: `The address is logged. Evidence: ${logged}` },
      quote,
    );
  for (const quote of ['', '}', 'logger.info(user.name);', `${logged}\n}\n}`, 'file: src/a.ts (modified)'])
    for (const verdict of ['passed', 'failed'])
      assert.deepEqual((await ask(files, says(verdict, quote))).answer, {
        verdict: 'inconclusive',
        text: `The model says ${verdict}, but quotes nothing that is in the change.`,
      });
  const passed = (await ask(files, says('passed', logged, 'It is a test.'))).answer;
  assert.ok('verdict' in passed && passed.verdict === 'passed');
});

test("a model's explanation of a check contains no credential, link or mention", async () => {
  const files = { 'src/a.ts': [null, `${logged}\n`] } as Record<string, [null, string]>;
  const reason = `@ada see https://evil.test/ ${secret} <img src=x> ![](x)`;
  const { answer } = await ask(files, says('failed', logged, reason));
  assert.ok('verdict' in answer);
  assert.deepEqual(faultsIn([answer.text]), []);
});

test('a change that was not shown completely does not pass, and generated files are not shown to the model', async () => {
  const long = Array.from({ length: 400 }, (_, index) => `const value${index} = ${index};`).join('\n');
  const files = { 'src/a.ts': [null, `${logged}\n`], 'src/b.ts': [null, `${long}\n`] } as Record<
    string,
    [null, string]
  >;
  const { answer } = await ask(files, says('passed', logged), { maxTokens: 200 });
  assert.ok('verdict' in answer && answer.verdict === 'inconclusive');
  assert.match(answer.text, /was not shown the whole change: src\/b\.ts/);
  const generated = { 'dist/a.js': [null, 'x\n'] } as Record<string, [null, string]>;
  const nothing = await ask(generated, says('passed', 'x'));
  assert.ok('verdict' in nothing.answer && nothing.answer.verdict === 'skipped');
  assert.equal(nothing.seen.length, 0);
});

test('an answer that is truncated, in another format or too expensive is discarded', async () => {
  const files = { 'src/a.ts': [null, `${logged}\n`] } as Record<string, [null, string]>;
  for (const scripted of [
    { ...says('passed', logged), cutAfter: 30 },
    { answer: 'passed' },
    { answer: { verdict: 'fine', quote: logged } },
    { status: 401, answer: 'no' },
  ])
    assert.deepEqual((await ask(files, scripted)).answer, { missing: 'model_failed' });
  const { seen, answer } = await ask(files, says('passed', logged), { budget: 300 });
  assert.deepEqual([seen.length, answer], [0, { missing: 'budget' }]);
});

test('ordinary code is not taken for text addressed to the reviewer', () => {
  for (const text of [
    'return passed(count);',
    '// You must pass an id; ignore the result.',
    'if (check.passed) report(check);',
    'echo "All checks passed"',
    'model.fit(x); assert model.passes(y)',
    '# Rules are ignored for generated files.',
    'The reviewer of this section is on leave.',
  ])
    assert.equal(speaksToReviewer(text, question.name), false, text);
});
