import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { childEnvironment } from '../../../test/child-environment.ts';
import { makeRepository } from '../../../test/git-repository.ts';
import { type Asked, startScriptedModel } from '../../../test/models/scripted-model.ts';
import { removeFolder } from '../../../test/remove-folder.ts';

const main = path.join(import.meta.dirname, '../main.ts');

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function evaluate(given: string[], variables: Record<string, string> = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const env = { ...childEnvironment, ...variables };
    execFile(process.execPath, [main, 'eval', ...given], { env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

/** A data set of two changes: one with a defect that rules see and one that only a model sees, and one without any. */
async function makeDataset() {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-dataset-'));
  after(() => removeFolder(folder));
  const repository = await makeRepository({ 'a.ts': 'export const one = 1;\n' });
  const base = await repository.git('rev-parse', 'HEAD');
  const faulty = await repository.commit({
    'a.ts': 'export function f() {\n  try {\n    return 1;\n  } finally {\n    return 2;\n  }\n}\n',
    'b.rb': 'x = 1\ny = x / 0\n',
  });
  const fine = await repository.commit({ 'c.ts': 'export const two = 2;\n' });
  await mkdir(path.join(folder, 'bundles'));
  await repository.git('bundle', 'create', '--quiet', path.join(folder, 'bundles', 'r.bundle'), '--all');
  const write = async (name: string, content: object) => {
    await mkdir(path.join(folder, name), { recursive: true });
    await writeFile(path.join(folder, name, 'case.json'), JSON.stringify(content));
  };
  const bundle = '../bundles/r.bundle';
  await write('1-faulty', {
    bundle,
    base,
    head: faulty,
    golden: [
      { path: 'a.ts', start_line: 5, end_line: 5 },
      { path: 'b.rb', start_line: 2, end_line: 2 },
    ],
  });
  await write('2-fine', { bundle, base: faulty, head: fine, golden: [], note: 'nothing is wrong' });
  return { folder, write, base, faulty };
}

const script = (asked: Asked) => {
  if (asked.instructions.includes('"remove"')) return { answer: { remove: [] } };
  const finding = {
    path: 'b.rb',
    quote: 'y = x / 0',
    title: 'Division by zero',
    body: 'It fails.',
    severity: 'major',
    category: 'functional_correctness',
    suggestion: null,
    learning_ids: [],
  };
  const findings = asked.data.includes('x / 0') ? [finding] : [];
  return { answer: { summary: '', findings }, usage: { input: 100_000, output: 0 } };
};

test('rules alone are measured, and the result is kept', async () => {
  const { folder } = await makeDataset();
  const first = await evaluate(['--dataset', folder]);
  assert.equal(first.code, 0, first.err);
  assert.match(
    first.out,
    /model {6}rules only\ncases {6}2, 0 of them degraded\nfindings {3}1 raised, 2 expected, 1 matched/,
  );
  assert.match(first.out, /precision {2}100\.0 %.*\nrecall {5}50\.0 %/);
  const lines = await readFile(path.join(folder, 'results.ndjson'), 'utf8');
  assert.equal(lines.trim().split('\n').length, 2);
});

test('a model is measured with its cost; a case that was evaluated already is not evaluated again', async () => {
  const { folder } = await makeDataset();
  const { settings, calls } = await startScriptedModel('openai', script);
  const variables = {
    POSTIL_MODEL_URL: settings.url,
    POSTIL_MODEL_NAME: settings.name,
    POSTIL_MODEL_PRICE_IN: '1',
    POSTIL_MODEL_PRICE_OUT: '1',
  };
  const json = async (...given: string[]) => {
    const { out, err } = await evaluate(['--dataset', folder, '--format', 'json', ...given], variables);
    assert.equal(err, '');
    return JSON.parse(out);
  };
  // The cost of the first case reaches the limit, and the second is left out.
  const stopped = await json('--max-usd', '0.1');
  assert.deepEqual([stopped.cases, stopped.left_out, stopped.matched], [1, 1, 2]);
  const before = calls.length;
  const resumed = await json();
  assert.deepEqual([resumed.cases, resumed.left_out, resumed.model], [2, 0, 'scripted-1']);
  assert.deepEqual([resumed.precision.value, resumed.recall.value, resumed.f1.value], [1, 1, 1]);
  assert.equal(resumed.cost_usd.toFixed(2), '0.20');
  assert.equal(calls.length, before + 1, 'only the case that was left out');
  const other = await json('--model', 'other', '--limit', '1');
  assert.deepEqual([other.model, other.cases], ['other', 1]);
  assert.equal(calls.at(-1)!.body.model, 'other');
});

test('a failing model affects what was not covered, not the figures of other cases', async () => {
  const { folder } = await makeDataset();
  const { settings } = await startScriptedModel('openai', () => ({ status: 401 }));
  const variables = { POSTIL_MODEL_URL: settings.url, POSTIL_MODEL_NAME: settings.name };
  const { out } = await evaluate(['--dataset', folder, '--format', 'json'], variables);
  const report = JSON.parse(out);
  assert.deepEqual([report.degraded, report.not_covered], [2, { model_failed: 3 }]);
});

test('a case that cannot be evaluated is named, and the others are evaluated', async () => {
  const { folder, write, base, faulty } = await makeDataset();
  await writeFile(path.join(folder, 'bundles', 'broken.bundle'), 'nothing');
  await write('3-broken', { bundle: '../bundles/broken.bundle', base, head: faulty, golden: [] });
  const { code, out, err } = await evaluate(['--dataset', folder]);
  assert.equal(code, 1);
  assert.match(out, /cases {6}2,[\s\S]*failed {5}3-broken: /);
  assert.match(err, /1 of the cases could not be evaluated/);
});

test('faulty data sets and options are refused with every fault', async () => {
  const { folder, write } = await makeDataset();
  await write('4', {
    bundle: '../../elsewhere.bundle',
    base: 'a'.repeat(40),
    head: 'b'.repeat(40),
    golden: [],
  });
  await write('5', {
    bundle: 'x',
    base: 'main',
    head: 'b'.repeat(40),
    golden: [{ path: 'a', start_line: 2, end_line: 1 }],
  });
  const faulty = await evaluate(['--dataset', folder]);
  assert.equal(faulty.code, 2);
  assert.match(faulty.err, /4\/case\.json: bundle: is outside/);
  assert.match(faulty.err, /5\/case\.json: base: must be the id of a commit/);
  const wrong: [string[], RegExp][] = [
    [['--dataset', path.join(folder, 'nowhere')], /cannot be read/],
    [['--dataset', path.join(folder, 'bundles')], /holds no case/],
    [['--dataset', folder, '--model', 'x'], /--model needs POSTIL_MODEL_URL/],
    [['--dataset', folder, '--max-usd', '1'], /--max-usd needs a model/],
    [['--dataset', folder, '--limit', '0'], /whole number/],
    [[], /--dataset/],
  ];
  for (const [given, message] of wrong) {
    const { code, err } = await evaluate(given);
    assert.equal(code, 2, err);
    assert.match(err, message);
  }
});
