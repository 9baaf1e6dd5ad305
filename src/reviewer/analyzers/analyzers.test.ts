import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/properties.ts';
import { applyEdits } from './apply-edits.ts';
import { LogFault, logsOf, parseForeignJson } from './parse-log.ts';
import { findFiles } from './repository-paths.ts';

const logOf = (results: unknown, run: Record<string, unknown> = {}) => ({
  version: '2.1.0',
  runs: [{ tool: { driver: { name: 'Lint' } }, results, ...run }],
});
const at = (uri: string, region: Record<string, unknown> = { startLine: 3 }) => ({
  physicalLocation: { artifactLocation: { uri }, region },
});
const resultOf = (more: Record<string, unknown> = {}) => ({
  ruleId: 'R1',
  message: { text: 'Wrong' },
  locations: [at('src/a.ts')],
  ...more,
});
const only = (result: Record<string, unknown>, run?: Record<string, unknown>) =>
  logsOf(logOf([resultOf(result)], run), '')[0]!.results[0]!;

test('levels and scores become severities, and the score wins', () => {
  const scored = (score: unknown, level = 'note') =>
    only({ level, properties: { 'security-severity': score } }).severity;
  assert.deepEqual(
    ['error', 'warning', 'note', 'none', undefined].map((level) => only({ level }).severity),
    ['major', 'minor', 'info', 'info', 'minor'],
  );
  assert.deepEqual(
    ['9.8', '9', 8.9, '7.0', '6.9', 4, '3.9', '0.1'].map((score) => scored(score)),
    ['critical', 'critical', 'major', 'major', 'minor', 'minor', 'trivial', 'trivial'],
  );
  assert.equal(scored('0.0', 'error'), 'major');
  assert.equal(scored('high', 'warning'), 'minor');
});

test('a rule that is described by an address alone gives its results no title', () => {
  const titled = (rule: Record<string, unknown>) =>
    only({}, { tool: { driver: { name: 'Lint', rules: [{ id: 'R1', ...rule }] } } }).title;
  const address = 'https://lint.test/rules#r1';
  for (const text of [address, `for further information visit ${address}\non by default`, `See ${address}`])
    assert.deepEqual(
      [titled({ fullDescription: { text } }), titled({ shortDescription: { text } })],
      ['Wrong', 'Wrong'],
    );
  assert.equal(
    titled({ fullDescription: { text: `Compares badly, see ${address}` } }),
    `Compares badly, see ${address}`,
  );
});

test('a tool is identified by its name without slashes, and credentials are redacted', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const [log] = logsOf(
    logOf([resultOf({ message: { text: `Found ${token}` } })], {
      tool: { driver: { name: ' @acme/lint\n tool ' } },
    }),
    '',
  );
  assert.equal(log!.tool, '@acme-lint tool');
  assert.equal(log!.results[0]!.rule, '@acme-lint tool/R1');
  assert.ok(!JSON.stringify(log).includes(token));
});

test('a tool with the name of an own rule source is renamed; a linter that Postil runs too keeps its name', () => {
  const ruleOf = (name: string) => only({}, { tool: { driver: { name } } }).rule;
  assert.deepEqual(['dataflow', 'secrets', 'text', 'ruff', 'Lint'].map(ruleOf), [
    'dataflow-analyzer/R1',
    'secrets-analyzer/R1',
    'text-analyzer/R1',
    'ruff/R1',
    'Lint/R1',
  ]);
});

test('paths of the build machine are mapped to files of the repository, and others to none', () => {
  const files = new Set([
    'src/a.ts',
    'a.ts',
    'app/src/main/java/com/acme/App.java',
    'lib/x/index.ts',
    'lib/y/index.ts',
  ]);
  const reported = [
    '/home/ci/build/src/a.ts',
    '/home/ci/build/lib/x/index.ts',
    '/usr/include/a.ts',
    'D:/agent/build/src/a.ts',
    'com/acme/App.java',
    'index.ts',
    'src/a.ts',
    '(outside)/src/a.ts',
    '../etc/passwd',
  ];
  const find = findFiles(files, reported);
  assert.deepEqual(reported.map(find), [
    'src/a.ts',
    'lib/x/index.ts',
    null,
    null,
    'app/src/main/java/com/acme/App.java',
    null,
    'src/a.ts',
    'src/a.ts',
    null,
  ]);
  const climbing = [
    '(outside)/(outside)/(outside)/home/ci/shop/src/a.ts',
    '(outside)/(outside)/etc/lib/a.ts',
  ];
  assert.deepEqual(
    climbing.map(findFiles(files, [...climbing, climbing[0]!.replace('src/a', 'lib/x/index')])),
    ['src/a.ts', null],
  );
  assert.equal(findFiles(files, ['D:/agent/build/src/a.ts'])('D:/agent/build/src/a.ts'), 'src/a.ts');
});

test('a fix becomes the new text of the lines of its result, or null if it changes other lines', () => {
  const text = 'one();\ntwo(x);\nthree();\n';
  const edit = (line: number, column: number, toLine: number, toColumn: number | null, inserted: string) => ({
    from: { line, column },
    to: { line: toLine, column: toColumn },
    text: inserted,
  });
  const apply = (
    edits: Parameters<typeof applyEdits>[2],
    columns: Parameters<typeof applyEdits>[3] = 'utf16CodeUnits',
  ) => applyEdits(text, { startLine: 2, endLine: 2 }, edits, columns);
  assert.equal(apply([edit(2, 5, 2, 6, 'y')]), 'two(y);');
  assert.equal(apply([edit(2, 5, 2, 6, 'y'), edit(2, 1, 2, 1, 'await ')]), 'await two(y);');
  assert.equal(apply([edit(2, 1, 2, null, '')]), '');
  assert.equal(apply([edit(2, 1, 3, 1, '')]), null);
  assert.equal(apply([edit(2, 1, 3, 1, 'deux();\n')]), 'deux();');
  assert.equal(apply([edit(1, 1, 2, 3, '')]), null);
  assert.equal(apply([edit(2, 1, 2, 4, 'a'), edit(2, 2, 2, 5, 'b')]), null);
  assert.equal(apply([edit(2, 100, 2, 101, '')]), null);
  assert.equal(apply([edit(2, 1, 2, 4, 'two')]), null);
  assert.equal(
    applyEdits('😀a\n', { startLine: 1, endLine: 1 }, [edit(1, 2, 1, 3, 'b')], 'unicodeCodePoints'),
    '😀b',
  );
});

test('whatever a log contains, reading it returns results or an error message', () => {
  const odd = fc.oneof(
    fc.constantFrom(
      null,
      -1,
      0,
      1e300,
      '',
      '%',
      '%SRCROOT%',
      'file:///',
      'C:\\a\\b.ts',
      '../../..',
      '\0',
      '\ud800',
    ),
    fc.jsonValue(),
  );
  const location = fc.record({
    physicalLocation: fc.record({
      artifactLocation: fc.record({ uri: odd, uriBaseId: odd, index: odd }, { requiredKeys: [] }),
      region: fc.record(
        { startLine: odd, endLine: odd, startColumn: odd, snippet: odd },
        { requiredKeys: [] },
      ),
    }),
  });
  const result = fc.record(
    {
      ruleId: odd,
      message: fc.oneof(fc.record({ text: fc.string() }), odd),
      locations: fc.oneof(fc.array(location, { maxLength: 2 }), odd),
      relatedLocations: fc.oneof(fc.array(location, { maxLength: 2 }), odd),
      codeFlows: odd,
      fixes: fc.oneof(
        fc.array(
          fc.record({ artifactChanges: fc.array(fc.record({ artifactLocation: odd, replacements: odd })) }),
        ),
        odd,
      ),
      level: odd,
      suppressions: odd,
      properties: odd,
    },
    { requiredKeys: [] },
  );
  const bases = fc.constant({ A: { uri: 'a/', uriBaseId: 'B' }, B: { uri: 'b/', uriBaseId: 'A' } });
  fc.assert(
    fc.property(fc.array(result, { maxLength: 4 }), bases, odd, (results, originalUriBaseIds, artifacts) => {
      try {
        for (const log of logsOf(logOf(results, { originalUriBaseIds, artifacts }), 'sarif'))
          for (const { path, startLine, endLine, rule, title } of log.results) {
            assert.ok(path !== '' && rule.startsWith('Lint/') && title !== '');
            assert.ok(startLine >= 1 && endLine >= startLine);
          }
      } catch (error) {
        assert.ok(error instanceof LogFault, String(error));
        assert.match(error.message, /^sarif\./);
      }
    }),
  );
});

test('a log that is nested, long or broken on purpose is refused with a message', () => {
  const parse = (text: string) => () => parseForeignJson(Buffer.from(text));
  assert.throws(parse('['.repeat(1_000_000)), { name: 'LogFault', message: /nested more than 200 levels/ });
  assert.throws(parse(`[${'0,'.repeat(3_000_001)}0]`), {
    name: 'LogFault',
    message: /more than 3000000 entries/,
  });
  assert.throws(parse('{'), { name: 'LogFault', message: /not valid JSON/ });
  const many = logOf(Array(100_001).fill(1));
  assert.throws(() => logsOf(many, 'sarif'), {
    message: 'sarif.runs[0].results: the log has over 100000 results',
  });
});
