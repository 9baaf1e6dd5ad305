import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf, type Versions } from '../../../test/change-of-versions.ts';
import { type ReviewHere, reviewHere } from '../../../test/review-here.ts';
import { changeOfDiff } from '../change/change-of-diff.ts';
import { pathByLanguage } from '../change/file-kinds.ts';
import { type PostilFile, resolveConfiguration } from '../configuration/review-configuration.ts';
import { judgeFindings } from '../judge/judge.ts';
import type { ModelAnswer, ModelFinding, ModelReviewer } from '../model/model-reviewer.ts';
import type { ChangeRuleSource, RuleFinding, RuleSource } from '../rule-source.ts';
import type { StageKeeper } from './review-request.ts';

const bad: Omit<RuleFinding, 'rule' | 'startLine' | 'endLine'> = {
  severity: 'major',
  category: 'functional_correctness',
  title: 'Bad',
  body: 'It is bad.',
  suggestion: null,
  related: [],
  confidence: 'proven',
  cwe: null,
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

function review(versions: Versions, given: Partial<ReviewHere> = {}, file: PostilFile = {}) {
  return reviewHere({
    change: changeOf(versions),
    configuration: resolveConfiguration(file),
    sources: [badLines],
    signal: AbortSignal.timeout(300_000),
    ...given,
  });
}

const linesOf = (count: number) => Array.from({ length: count }, (_, index) => `line(${index});\n`).join('');

test('only findings that the change introduced are raised: not those in existing, moved or indented code', async () => {
  const before = `BAD(1);\n${linesOf(20)}BAD(2);\n${linesOf(3)}`;
  const after = `top();\nBAD(1);\n${linesOf(20)}if (x) {\n  BAD(2);\n}\n${linesOf(3)}BAD(3);\n`;
  const { findings } = await review({ 'a.ts': [before, after] });
  assert.deepEqual(
    findings.map(({ quote, startLine, isInDiff }) => [quote, startLine, isInDiff]),
    [['BAD(3);', 29, true]],
  );
});

test('a fault is not new with other quotes, on other lines or with other names; a fault of another shape is', async () => {
  const calls: RuleSource = {
    ...badLines,
    find: async (files) =>
      files.map(({ text }) =>
        [...text.matchAll(/BAD\([^)]*\)/g)].map((found) => {
          const startLine = text.slice(0, found.index).split('\n').length;
          return { ...bad, rule: 'bad/bad', startLine, endLine: startLine + found[0].split('\n').length - 1 };
        }),
      ),
  };
  const foundIn = async (before: string, after: string) =>
    (await review({ 'a.ts': [before, after] }, { sources: [calls] })).findings.length;
  assert.equal(await foundIn("BAD('one', first);\n", 'BAD("one", first)\n'), 0);
  assert.equal(await foundIn('BAD(first, second);\n', 'BAD(\n  first,\n  second,\n);\n'), 0);
  assert.equal(await foundIn('x = BAD(first.name);\n', 'y = BAD(user.name);\n'), 0);
  assert.equal(await foundIn('x = BAD(first.name);\n', 'x = BAD(first.password);\n'), 1);
  assert.equal(await foundIn('x = BAD(first.name);\n', 'x = BAD(first.name);\ny = BAD(user.name);\n'), 1);
  // Far from a fault that was fixed, one of the same shape is new.
  const far = (top: string, end: string) => `${top}\n${linesOf(30)}${end}\n`;
  assert.equal(await foundIn(far('x = BAD(first.name);', 'ok();'), far('ok();', 'y = BAD(user.name);')), 1);
  assert.equal(await foundIn(far('x = BAD(first.name);', 'ok();'), far('ok();', 'x = BAD(first.name);')), 0);
});

test('a line on which the author silenced a linter has no findings, unless it contains a secret', async () => {
  const versions: Versions = {
    'a.ts': [null, 'BAD(1); // eslint-disable-line\nBAD(2);\nBAD(3); # ruff:ignore[x]\n'],
    'b.ts': [null, '// postil-ignore: known\nBAD(1);\nBAD(2); // #nosec\n'],
  };
  assert.deepEqual(
    (await review(versions)).findings.map(({ path, startLine }) => [path, startLine]),
    [['a.ts', 2]],
  );
  const secrets = await review(versions, { sources: [{ ...badLines, name: 'secrets' }] });
  assert.equal(secrets.findings.length, 5);
});

test('a fault that the change caused far from its lines is raised, and marked as not part of the diff', async () => {
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

test('the language of a script without an extension is that of its first line', async () => {
  const { coverage, findings } = await review({
    'bin/run': [null, '#!/usr/bin/env -S tsx --quiet\nBAD();\n'],
    'bin/other': [null, '#!/usr/bin/awk -f\nBAD();\n'],
  });
  assert.deepEqual(
    findings.map(({ path, startLine }) => [path, startLine]),
    [['bin/run', 2]],
  );
  assert.deepEqual(
    coverage.map(({ path, state }) => [path, state]),
    [
      ['bin/run', 'full'],
      ['bin/other', 'skipped'],
    ],
  );
  for (const [first, path] of [
    ['#!/usr/bin/python3.12', 'a.py'],
    ['#! /usr/bin/env PYTHONPATH=x /opt/bin/node', 'a.js'],
    ['#!/bin/sh -e', 'a.sh'],
    ['#!/usr/bin/env bash', 'a.sh'],
    ['#!/usr/bin/env fish', 'a'],
    ['# !/bin/sh', 'a'],
  ])
    assert.equal(pathByLanguage('a', `${first}\nx\n`), path);
  assert.equal(pathByLanguage('a.txt', '#!/bin/sh\n'), 'a.txt');
});

test('every changed file is in the coverage, in order, with the reason why it was not fully reviewed', async () => {
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
      ['gone.ts', 'full', null],
      ['package-lock.json', 'skipped', 'no_rule_for_language'],
      ['secret/d.ts', 'skipped', 'filtered'],
      ['made.ts', 'skipped', 'generated'],
    ],
  );
});

/** A source with the name of the one that examines every file. */
const secretLines: RuleSource = { ...badLines, name: 'secrets', covers: () => true, isGeneral: true };

test('files that a change marks as generated are searched for credentials, and handwritten ones are still reviewed', async () => {
  const marker = '// @generated by nobody\n';
  const { findings, coverage } = await review(
    {
      'made.ts': [null, `${marker}BAD(1);\n`],
      'dist/made.js': [null, 'BAD(2);\n'],
      'written.ts': ['line(1);\n', `${marker}line(1);\nBAD(3);\n`],
      'vendor/theirs.js': [null, 'BAD(4);\n'],
    },
    { sources: [secretLines, { ...badLines, name: 'linter' }] },
  );
  // In the handwritten file, the linter has found it, too.
  assert.deepEqual(findings.map(({ path }) => path).sort(), [
    'dist/made.js',
    'made.ts',
    'written.ts',
    'written.ts',
  ]);
  assert.deepEqual(
    coverage.map(({ path, state, reason }) => [path, state, reason]),
    [
      ['made.ts', 'skipped', 'generated'],
      ['dist/made.js', 'skipped', 'generated'],
      ['written.ts', 'full', null],
      ['vendor/theirs.js', 'skipped', 'generated'],
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
  assert.match(result.reason!, /failing failed: no; 1 file was not reviewed completely/);
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

test('floor, limit and dismissals decide which findings get a comment; the worst comes first', async () => {
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
  const rest = judgeFindings(all.findings, resolveConfiguration(), { known: dismissed, dismissed });
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

test('findings contain no credentials', async () => {
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
  const answer = { findings, shortfalls: given.shortfalls ?? [], usage };
  return { name: 'm', review: async () => answer, ...given };
}

test('findings of a model are on the lines it quotes; those about other files or with a wrong quote are dropped', async () => {
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
    [['a.ts', 2, true, 'model', ['l1']]],
  );
  assert.deepEqual([result.usage, result.status], [usage, 'succeeded']);
  assert.deepEqual(
    result.coverage.map(({ state }) => state),
    ['full', 'full'],
  );
});

test('a finding has its rules, confidence and CWE; those of a model are never proven', async () => {
  const weak = { ...bad, cwe: 'CWE-95', rule: 'bad/weak', startLine: 1, endLine: 1 };
  const sources = [{ ...badLines, find: async () => [[weak]] }];
  const model = modelOf([{ ...bad, path: 'a.ts', quote: 'two();', learningIds: [] }]);
  const { findings } = await review({ 'a.ts': [null, 'one();\ntwo();\n'] }, { sources, model });
  assert.deepEqual(
    findings.map(({ related, confidence, rules, cwe }) => ({ related, confidence, rules, cwe })),
    [
      { related: [], confidence: 'proven', rules: ['bad/weak'], cwe: 'CWE-95' },
      { related: [], confidence: 'likely', rules: [], cwe: null },
    ],
  );
});

test('a second pass can only remove findings', async () => {
  const findings = ['one();', 'two();'].map((quote) => ({ ...bad, path: 'a.ts', quote, learningIds: [] }));
  const total = { ...usage, calls: 2 };
  const model = modelOf(findings, {
    confirm: async (placed) => ({ kept: new Set([placed[1]!.identity, 'another']), usage: total }),
  });
  const result = await review({ 'a.ts': [null, 'one();\ntwo();\n'] }, { model });
  assert.deepEqual(
    result.findings.map(({ quote }) => quote),
    ['two();'],
  );
  assert.deepEqual(result.usage, total);
});

test('a model that fails or runs out of budget degrades the review, and no finding of a rule is lost', async () => {
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

test('when the time is up, the review ends with what it has, and the coverage lists what was not reviewed', async () => {
  const timeIsOver = new AbortController();
  const slow: RuleSource = {
    ...badLines,
    name: 'slow',
    find: (_files, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        // The other source has answered by then.
        setImmediate(() => timeIsOver.abort());
      }),
  };
  const { status, coverage, findings } = await review(
    { 'a.ts': ['ok();\n', 'BAD();\n'] },
    { sources: [badLines, slow], deadline: timeIsOver.signal },
  );
  assert.equal(status, 'degraded');
  assert.deepEqual(coverage, [{ path: 'a.ts', state: 'partial', reason: 'time' }]);
  assert.equal(findings.length, 1);
});

test('if the model has not answered when the time is up, findings of rules are kept', async () => {
  const timeIsOver = new AbortController();
  const model: ModelReviewer = {
    name: 'slow',
    review: (_request, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        timeIsOver.abort();
      }),
  };
  const { status, coverage, findings } = await review(
    { 'a.ts': ['ok();\n', 'BAD();\n'] },
    { model, deadline: timeIsOver.signal },
  );
  assert.equal(status, 'degraded');
  assert.deepEqual(coverage, [{ path: 'a.ts', state: 'partial', reason: 'time' }]);
  assert.equal(findings.length, 1);
});

test('a completed stage is not repeated, and its result survives serialization as JSON', async () => {
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
  assert.deepEqual([...kept.keys()].sort(), ['analyzers', 'comparison', 'model', 'rules', 'sight']);
  assert.deepEqual(second, first);
});

test('of more than 200 findings in a file the worst are kept, then the first, and every secret; the run is degraded', async () => {
  const graded: RuleSource = {
    ...badLines,
    find: async (files) =>
      files.map(({ text }) =>
        text.split('\n').flatMap((line, index) => {
          const [, severity] = /BAD (\w+)/.exec(line) ?? [];
          if (severity === undefined) return [];
          const said = { ...bad, severity: severity as 'major', startLine: index + 1, endLine: index + 1 };
          return [{ ...said, rule: severity === 'info' ? 'secrets/known' : 'bad/bad' }];
        }),
      ),
  };
  const text = `${'BAD minor\n'.repeat(250)}${'BAD major\n'.repeat(50)}${'BAD info\n'.repeat(10)}`;
  const { status, findings, overflow, coverage, reason } = await review(
    { 'a.ts': [null, text], 'b.ts': [null, 'fine();\n'] },
    { sources: [graded] },
    { reviews: { severity_floor: 'info' } },
  );
  const kept = [...findings, ...overflow];
  const linesWith = (severity: string) =>
    kept.filter((finding) => finding.severity === severity).map(({ startLine }) => startLine);
  assert.equal(kept.length, 200);
  assert.deepEqual([linesWith('major').length, linesWith('info').length], [50, 10]);
  assert.deepEqual(
    linesWith('minor'),
    [...Array(140).keys()].map((index) => index + 1),
  );
  assert.deepEqual(coverage, [
    { path: 'a.ts', state: 'partial', reason: 'too_many_findings' },
    { path: 'b.ts', state: 'full', reason: null },
  ]);
  assert.deepEqual([status, reason], ['degraded', '1 file was not reviewed completely (too_many_findings)']);
});

test('more than 200 secrets in a file are all kept, and the run is degraded all the same', async () => {
  const secretLines: RuleSource = {
    ...badLines,
    find: async (files) =>
      (await badLines.find(files, AbortSignal.timeout(60_000))).map((found) =>
        found.map((finding) => ({ ...finding, rule: 'secrets/known' })),
      ),
  };
  const { status, findings, overflow, coverage } = await review(
    { 'a.ts': [null, 'BAD();\n'.repeat(250)] },
    { sources: [secretLines] },
  );
  assert.deepEqual([status, findings.length + overflow.length], ['degraded', 250]);
  assert.deepEqual(coverage, [{ path: 'a.ts', state: 'partial', reason: 'too_many_findings' }]);
});

test('a Git LFS pointer is not read as code', async () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:BAD\nsize 2\n';
  const { findings, coverage } = await review({ 'a.ts': [null, pointer] });
  assert.deepEqual(findings, []);
  assert.deepEqual(coverage, [{ path: 'a.ts', state: 'skipped', reason: 'binary' }]);
});

test('of more than 1,000 findings in a run the worst are kept, and the coverage of files says so', async () => {
  const versions = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [`${index}.ts`, [null, 'BAD();\n'.repeat(150)] as const]),
  );
  const { findings, overflow, coverage } = await review(versions);
  assert.equal(findings.length + overflow.length, 1_000);
  assert.deepEqual(
    coverage.map(({ reason }) => reason),
    [null, null, null, null, null, null, 'too_many_findings', 'too_many_findings'],
  );
});

/** A source with a finding in every changed file. */
const comparing: ChangeRuleSource = {
  name: 'dependencies',
  covers: (path) => /\.(?:lock|txt)$/.test(path),
  async compare({ change, base, head, hasRepository }) {
    const findings = [];
    for (const { path } of change.files) {
      const body = `${await base.read(path)} > ${await head.read(path)} ${hasRepository}`;
      findings.push({
        ...bad,
        body,
        rule: 'dependencies/x',
        path,
        side: 'new',
        startLine: 1,
        endLine: 1,
      } as const);
    }
    const unread = [{ path: 'broken.txt', reason: 'rule_failed' } as const];
    return { findings, unread, notes: ['broken.txt is broken'], report: { total_dependencies: 7 } };
  },
};

test('a source that compares both sides counts as rules for a language, and reads lock files', async () => {
  const versions: Versions = {
    'yarn.lock': ['a', 'b'],
    'x.txt': ['a', 'b'],
    'broken.txt': ['a', 'b'],
    'o.rb': ['a', 'b'],
  };
  const result = await review(versions, { sources: [comparing] });
  assert.deepEqual(
    result.coverage.map(({ path, state, reason }) => [path, state, reason]),
    [
      ['yarn.lock', 'full', null],
      ['x.txt', 'full', null],
      ['broken.txt', 'partial', 'rule_failed'],
      ['o.rb', 'skipped', 'no_rule_for_language'],
    ],
  );
  assert.deepEqual([...new Set(result.findings.map(({ body }) => body))], ['a > b false']);
  assert.deepEqual([result.report?.total_dependencies, result.notes], [7, ['broken.txt is broken.']]);
  const without = await review({ 'o.rb': ['a', 'b'] }, { sources: [comparing] });
  assert.deepEqual([without.findings, without.notes], [[], []]);
});

test('a source that fails to compare degrades the review, and others still run', async () => {
  const failing = {
    ...comparing,
    name: 'contracts',
    compare: async () => Promise.reject(new Error('broken')),
  };
  const { status, reason, findings } = await review(
    { 'x.txt': ['a', 'b'] },
    { sources: [failing, comparing] },
  );
  assert.deepEqual(
    [status, reason, findings.length],
    ['degraded', 'contracts failed: broken; 1 file was not reviewed completely (rule_failed)', 1],
  );
});
