import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTwoFilesPatch } from 'diff';
import { changeOfDiff } from '../changes/change-of-diff.ts';
import { type PostilFile, resolveConfiguration } from '../configuration/review-configuration.ts';
import type { RuleSource } from '../rules/rule-source.ts';
import type { ModelAnswer, ModelFinding, ModelReviewer } from './model-reviewer.ts';
import { type ReviewRequest, reviewChange, type StageKeeper } from './review-change.ts';

const bad: Pick<ModelFinding, 'severity' | 'category' | 'title' | 'body' | 'suggestion'> = {
  severity: 'major',
  category: 'functional_correctness',
  title: 'Bad',
  body: 'It is bad.',
  suggestion: null,
};

/** A source that finds every line with BAD in it. */
const badLines: RuleSource = {
  name: 'bad',
  covers: (path) => path.endsWith('.ts'),
  find: async (files) =>
    files.map(({ text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          line.includes('BAD') ? [{ ...bad, rule: 'bad/bad', startLine: index + 1, endLine: index + 1 }] : [],
        ),
    ),
};

type Versions = Record<string, readonly [before: string | null, after: string | null, oldPath?: string]>;

function changeOf(versions: Versions) {
  const patches = Object.entries(versions).map(([path, [before, after, oldPath]]) => {
    const names = [
      before === null ? '/dev/null' : `a/${oldPath ?? path}`,
      after === null ? '/dev/null' : `b/${path}`,
    ] as const;
    return createTwoFilesPatch(...names, before ?? '', after ?? '', '', '', { context: 3 }).replace(
      /^=+\n/,
      '',
    );
  });
  const contents = Object.entries(versions).flatMap(([path, [, content]]) =>
    content === null ? [] : [{ path, content }],
  );
  return changeOfDiff(patches.join(''), contents);
}

function review(versions: Versions, given: Partial<ReviewRequest> = {}, file: PostilFile = {}) {
  return reviewChange({
    change: changeOf(versions),
    configuration: resolveConfiguration(file),
    sources: [badLines],
    signal: AbortSignal.timeout(60_000),
    ...given,
  });
}

const linesOf = (count: number) => Array.from({ length: count }, (_, index) => `line(${index});\n`).join('');

test('only what the change brought is raised: not what was there, was moved, or was indented', async () => {
  const before = `BAD(1);\n${linesOf(20)}BAD(2);\n${linesOf(3)}`;
  const after = `top();\nBAD(1);\n${linesOf(20)}if (x) {\n  BAD(2);\n}\n${linesOf(3)}BAD(3);\n`;
  const { findings } = await review({ 'a.ts': [before, after] });
  assert.deepEqual(
    findings.map(({ quote, startLine, isInDiff }) => [quote, startLine, isInDiff]),
    [['BAD(3);', 29, true]],
  );
});

test('a line on which the author silenced a linter is left in peace, unless it holds a secret', async () => {
  const versions: Versions = { 'a.ts': [null, 'BAD(1); // eslint-disable-line\nBAD(2);\n'] };
  assert.deepEqual(
    (await review(versions)).findings.map(({ startLine }) => startLine),
    [2],
  );
  const secrets = await review(versions, { sources: [{ ...badLines, name: 'secrets' }] });
  assert.equal(secrets.findings.length, 2);
});

test('what the change broke far from its lines is raised, and known not to be part of the diff', async () => {
  const unused: RuleSource = {
    ...badLines,
    find: async (files) =>
      files.map(({ text }) =>
        text.split('used').length > 2 ? [] : [{ ...bad, rule: 'bad/unused', startLine: 1, endLine: 1 }],
      ),
  };
  const before = `import { used } from 'x';\n${linesOf(20)}used();\n`;
  const { findings } = await review(
    { 'a.ts': [before, before.replace('used();\n', '')] },
    { sources: [unused] },
  );
  assert.deepEqual(
    findings.map(({ startLine, isInDiff }) => [startLine, isInDiff]),
    [[1, false]],
  );
});

test('a finding is the same after renumbering, indentation and a rename, and another one elsewhere', async () => {
  const body = (call: string) => `function first() {\n  ${call}\n}\n`;
  const identitiesOf = async (versions: Versions) =>
    (await review(versions)).findings.map(({ identity }) => identity);
  const [original] = await identitiesOf({ 'a.ts': [body('ok();'), body('BAD();')] });
  const renumbered = body('BAD();').replace('  BAD', '      BAD');
  assert.deepEqual(await identitiesOf({ 'a.ts': [body('ok();'), `${linesOf(30)}${renumbered}`] }), [
    original,
  ]);
  assert.deepEqual(await identitiesOf({ 'moved/b.ts': [body('ok();'), body('BAD();'), 'a.ts'] }), [original]);
  const elsewhere = body('BAD();').replace('first', 'second');
  assert.notDeepEqual(await identitiesOf({ 'a.ts': [body('ok();'), elsewhere] }), [original]);
  const twice = await identitiesOf({ 'a.ts': [body('ok();'), body('BAD();\n  BAD();')] });
  assert.equal(new Set(twice).size, 2);
  assert.equal(twice[0], original);
});

test('every changed file is in the coverage, in order, with the reason why it was not seen whole', async () => {
  const text = 'a\n';
  const { coverage, status } = await review(
    {
      'a.ts': [text, 'b\n'],
      'b.rb': [null, text],
      'dist/c.js': [null, text],
      'gone.ts': [text, null],
      'package-lock.json': [text, 'b\n'],
      'secret/d.ts': [null, text],
      'made.ts': [null, '// Code generated by x. DO NOT EDIT.\n'],
    },
    {},
    { reviews: { path_filters: ['!secret/**'] } },
  );
  assert.equal(status, 'succeeded');
  assert.deepEqual(
    coverage.map(({ path, state, reason }) => [path, state, reason]),
    [
      ['a.ts', 'full', null],
      ['b.rb', 'skipped', 'no_rule_for_language'],
      ['dist/c.js', 'skipped', 'generated'],
      ['gone.ts', 'skipped', 'deleted'],
      ['package-lock.json', 'skipped', 'lock_file'],
      ['secret/d.ts', 'skipped', 'filtered'],
      ['made.ts', 'skipped', 'generated'],
    ],
  );
});

test('a source that fails or never ends makes the review degraded; what others found is kept', async () => {
  const failing: RuleSource = {
    name: 'failing',
    covers: () => true,
    find: () => Promise.reject(new Error('no')),
  };
  const result = await review({ 'a.ts': [null, 'BAD\n'] }, { sources: [badLines, failing] });
  assert.deepEqual([result.status, result.findings.length], ['degraded', 1]);
  assert.match(result.reason!, /failing failed: no; 1 file was not reviewed whole/);
  assert.deepEqual(result.coverage, [{ path: 'a.ts', state: 'partial', reason: 'rule_failed' }]);
});

test('without the content only secrets are searched for, and the coverage says so', async () => {
  const secrets: RuleSource = { ...badLines, name: 'secrets', covers: () => true };
  const change = changeOfDiff('--- a/a.ts\n+++ b/a.ts\n@@ -40,2 +40,3 @@\n x\n+BAD\n y\n');
  const result = await review({}, { change, sources: [badLines, secrets] });
  assert.deepEqual(
    result.findings.map(({ startLine, quote }) => [startLine, quote]),
    [[41, 'BAD']],
  );
  assert.deepEqual(result.coverage, [{ path: 'a.ts', state: 'partial', reason: 'content_missing' }]);
  assert.equal(result.status, 'degraded');
});

test('floor, cap and dismissals decide what is worth a comment; the worst comes first', async () => {
  const graded: RuleSource = {
    ...badLines,
    find: async (files) =>
      files.map(({ text }) =>
        text.split('\n').flatMap((line, index) =>
          line === ''
            ? []
            : [
                {
                  ...bad,
                  severity: line as 'major',
                  rule: 'bad/bad',
                  startLine: index + 1,
                  endLine: index + 1,
                },
              ],
        ),
      ),
  };
  const versions: Versions = { 'a.ts': [null, 'trivial\nminor\ncritical\nmajor\n'] };
  const all = await review(versions, { sources: [graded] });
  assert.deepEqual(
    all.findings.map(({ severity }) => severity),
    ['critical', 'major', 'minor'],
  );
  const capped = await review(
    versions,
    { sources: [graded] },
    { reviews: { max_comments: 1, severity_floor: 'trivial' } },
  );
  assert.deepEqual([capped.findings.length, capped.overflow.length], [1, 3]);
  const dismissed = new Set([all.findings[0]!.identity]);
  const rest = await review(versions, { sources: [graded], dismissed });
  assert.deepEqual(
    rest.findings.map(({ severity }) => severity),
    ['major', 'minor'],
  );
  const off = await review(
    versions,
    { sources: [{ ...graded, name: 'ruff' }] },
    { reviews: { rules: { ruff: false } } },
  );
  assert.deepEqual(off.findings, []);
});

test('nothing of a credential is in a finding', async () => {
  const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
  const result = await review({ 'a.ts': [null, `const BAD = '${token}';\n`] });
  assert.equal(result.findings.length, 1);
  assert.ok(!JSON.stringify(result).includes(token));
});

const usage = { model: 'm', inputTokens: 1, outputTokens: 2, costUsd: 0.5, calls: 1 };

function modelOf(
  findings: readonly ModelFinding[],
  given: Partial<ModelReviewer & ModelAnswer> = {},
): ModelReviewer {
  const answer = { summary: 'Fine.', findings, shortfalls: given.shortfalls ?? [], usage };
  return { name: 'm', review: async () => answer, ...given };
}

test('a model quotes, and its findings stand on the quoted lines or on the file; other files are not commented', async () => {
  const said = (path: string, quote: string) => ({ ...bad, path, quote, learningIds: ['l1'] });
  const model = modelOf([
    said('a.ts', 'two();'),
    said('a.ts', 'nowhere();'),
    said('../../etc/passwd', 'one();'),
  ]);
  const result = await review({ 'a.ts': ['one();\n', 'one();\ntwo();\n'], 'b.rb': [null, 'x\n'] }, { model });
  assert.deepEqual(
    result.findings.map(({ path, startLine, isInDiff, source, learningIds }) => [
      path,
      startLine,
      isInDiff,
      source.kind,
      learningIds,
    ]),
    [
      ['a.ts', null, false, 'model', ['l1']],
      ['a.ts', 2, true, 'model', ['l1']],
    ],
  );
  assert.deepEqual([result.summary, result.usage, result.status], ['Fine.', usage, 'succeeded']);
  assert.deepEqual(
    result.coverage.map(({ state }) => state),
    ['full', 'full'],
  );
});

test('a second look may only remove', async () => {
  const findings = ['one();', 'two();'].map((quote) => ({ ...bad, path: 'a.ts', quote, learningIds: [] }));
  const model = modelOf(findings, { confirm: async (placed) => new Set([placed[1]!.identity, 'another']) });
  const result = await review({ 'a.ts': [null, 'one();\ntwo();\n'] }, { model });
  assert.deepEqual(
    result.findings.map(({ quote }) => quote),
    ['two();'],
  );
});

test('a model that fails or runs out of budget makes the review degraded and loses nothing that rules found', async () => {
  const failing = modelOf([], { review: () => Promise.reject(new Error('429')) });
  const failed = await review({ 'a.ts': [null, 'BAD\n'] }, { model: failing });
  assert.deepEqual(
    [failed.status, failed.findings.length, failed.coverage[0]!.reason],
    ['degraded', 1, 'model_failed'],
  );
  const poor = modelOf([], { shortfalls: [{ path: 'a.ts', state: 'skipped', reason: 'budget' }] });
  const short = await review({ 'a.ts': [null, 'BAD\n'] }, { model: poor });
  assert.deepEqual(
    [short.status, short.coverage],
    ['degraded', [{ path: 'a.ts', state: 'partial', reason: 'budget' }]],
  );
  const off = await review(
    { 'a.ts': [null, 'x\n'] },
    { model: failing },
    { reviews: { model: { enabled: false } } },
  );
  assert.equal(off.status, 'succeeded');
});

test('size decides the estimates', async () => {
  const estimates = async (lines: number) => {
    const { estimatedComplexity, estimatedReviewMinutes } = await review({ 'a.ts': [null, linesOf(lines)] });
    return [estimatedComplexity, estimatedReviewMinutes];
  };
  assert.deepEqual(await estimates(10), [1, 3]);
  assert.deepEqual(await estimates(100), [2, 10]);
  assert.deepEqual(await estimates(2_000), [5, 169]);
});

test('when the time is over, the review ends with what it has, and the coverage says what was not seen', async () => {
  const slow: RuleSource = {
    ...badLines,
    name: 'slow',
    find: (_files, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  };
  const { status, coverage, findings } = await review(
    { 'a.ts': ['ok();\n', 'BAD();\n'] },
    { sources: [badLines, slow], deadline: AbortSignal.timeout(50) },
  );
  assert.equal(status, 'degraded');
  assert.deepEqual(coverage, [{ path: 'a.ts', state: 'partial', reason: 'time' }]);
  assert.equal(findings.length, 1);
});

test('a model that is still thinking when the time is over does not cost what rules found', async () => {
  const model: ModelReviewer = {
    name: 'slow',
    review: (_request, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  };
  const { status, coverage, findings } = await review(
    { 'a.ts': ['ok();\n', 'BAD();\n'] },
    { model, deadline: AbortSignal.timeout(50) },
  );
  assert.equal(status, 'degraded');
  assert.deepEqual(coverage, [{ path: 'a.ts', state: 'partial', reason: 'time' }]);
  assert.equal(findings.length, 1);
});

test('a stage that was done before is not done again, and what it came to survives as JSON', async () => {
  const kept = new Map<string, string>();
  let asked = 0;
  const counting: RuleSource = {
    ...badLines,
    find: (files, signal) => {
      asked += 1;
      return badLines.find(files, signal);
    },
  };
  const stage: StageKeeper = async (name, work) => {
    if (!kept.has(name)) kept.set(name, JSON.stringify(await work()));
    return JSON.parse(kept.get(name)!);
  };
  const given = { sources: [counting], stage };
  const first = await review({ 'a.ts': ['ok();\n', 'BAD();\n'] }, given);
  const second = await review({ 'a.ts': ['ok();\n', 'BAD();\n'] }, given);
  assert.equal(asked, 1);
  assert.deepEqual([...kept.keys()], ['rules', 'model']);
  assert.deepEqual(second, first);
});
