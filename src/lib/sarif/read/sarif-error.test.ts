import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { at, logOf, resultWith } from '../fixtures/logs.ts';
import { MAX_RESULTS, readSarif, sarifRuns } from './read-sarif.ts';
import { SarifError } from './sarif-error.ts';

const run = (parts: object) => ({ version: '2.1.0', runs: [parts] });
const tool = { driver: { name: 'Scanner' } };

test('a log that is not SARIF 2.1.0 is rejected with the path and the reason', () => {
  const cases: [unknown, string, string, RegExp][] = [
    [null, 'NOT_SARIF', '', /expected object/],
    ['{"version":"2.1.0"}', 'NOT_SARIF', '', /expected object/],
    [[], 'NOT_SARIF', '', /expected object/],
    [{}, 'NOT_SARIF', 'version', /missing/],
    [{ version: '2.0.0', runs: [] }, 'UNSUPPORTED_VERSION', 'version', /"2\.0\.0".*"2\.1\.0"/],
    [{ version: 2.1, runs: [] }, 'UNSUPPORTED_VERSION', 'version', /number/],
    [{ version: '2.1.0' }, 'NOT_SARIF', 'runs', /expected array/],
    [{ version: '2.1.0', runs: {} }, 'NOT_SARIF', 'runs', /expected array/],
    [{ version: '2.1.0', runs: [7] }, 'NOT_SARIF', 'runs[0]', /expected object/],
    [run({}), 'NOT_SARIF', 'runs[0].tool', /expected object/],
    [run({ tool: {} }), 'NOT_SARIF', 'runs[0].tool.driver', /expected object/],
    [run({ tool, results: 'none' }), 'NOT_SARIF', 'runs[0].results', /expected array/],
    [
      run({ tool, externalPropertyFileReferences: { results: [{ location: { uri: 'r.json' } }] } }),
      'EXTERNAL_RESULTS',
      'runs[0].externalPropertyFileReferences.results',
      /not supported/,
    ],
    [
      { version: '2.1.0', runs: [], inlineExternalProperties: [{}, { results: [resultWith()] }] },
      'EXTERNAL_RESULTS',
      'inlineExternalProperties[1].results',
      /not supported/,
    ],
  ];
  for (const [log, code, path, reason] of cases) {
    assert.throws(
      () => readSarif(log),
      (error) => {
        assert.ok(error instanceof SarifError, String(error));
        assert.deepEqual([error.code, error.path], [code, path]);
        assert.match(error.reason, reason);
        assert.ok(error.message.startsWith(path) && error.message.endsWith(error.reason));
        return true;
      },
    );
  }
});

test('an invalid result is left out with the path and the reason, and with the findings that it may be about', () => {
  const place = [at('src/app.ts', 3)];
  const cases: [unknown, string, RegExp, string | null, string | null][] = [
    [{ ruleId: 'R', locations: place }, '.message', /expected object/, 'R', 'src/app.ts'],
    [
      { message: { text: 'x' }, ruleId: 5, locations: place },
      '.ruleId',
      /expected string/,
      null,
      'src/app.ts',
    ],
    [resultWith({ level: 5 }), '.level', /expected string/, 'R1', 'src/app.ts'],
    [resultWith({ fingerprints: { a: {} } }), '.fingerprints.a', /./, 'R1', 'src/app.ts'],
    [resultWith({ locations: 'here' }), '.locations', /expected array/, 'R1', null],
    [
      resultWith({ locations: [{ physicalLocation: { artifactLocation: { uri: 5 } } }] }),
      '.locations[0].physicalLocation.artifactLocation.uri',
      /expected string/,
      'R1',
      null,
    ],
    [3, '', /expected object/, null, null],
    [null, '', /expected object/, null, null],
  ];
  for (const [result, path, reason, ruleId, filePath] of cases) {
    const [first, second] = [...sarifRuns(logOf([resultWith(), result]))].flatMap(({ results }) => [
      ...results,
    ]);
    assert.ok(first && 'finding' in first);
    assert.ok(second && 'unread' in second, JSON.stringify(result));
    const { fault, ...about } = second.unread;
    assert.equal(fault.path, `runs[0].results[1]${path}`);
    assert.match(fault.reason, reason);
    assert.deepEqual(about, { ruleId, filePath });
  }
});

test('an invalid result that would not be a finding anyway is ignored', () => {
  const results = [{ kind: 'pass' }, { baselineState: 'absent' }];
  assert.deepEqual(
    [...sarifRuns(logOf(results))].flatMap(({ results }) => [...results]),
    [],
  );
});

test('invalid values that only describe a finding are ignored', () => {
  const invalid = {
    codeFlows: [5, { threadFlows: 'x' }],
    stacks: 'none',
    taxa: [3],
    relatedLocations: {},
    properties: [],
    partialFingerprints: { line: 12 },
  };
  const driver = {
    name: 'Scanner',
    rules: [null, { id: 'R1', shortDescription: { text: 'Title' }, helpUri: 'x' }],
  };
  const [finding] = readSarif(
    logOf([resultWith(invalid)], { tool: { driver }, artifacts: [1], invocations: 'x', taxonomies: [[]] }),
  );
  assert.deepEqual([finding?.title, finding?.reachability, finding?.cwe], ['Title', null, []]);
  assert.deepEqual(finding?.origin?.partialFingerprints, { line: '12' });
});

test('words that are not in the standard are ignored', () => {
  const [finding] = readSarif(
    logOf([resultWith({ level: 'FATAL', kind: 'FAIL', baselineState: 'existing' })]),
  );
  assert.equal(finding?.severity, 'medium');
  assert.equal(readSarif(logOf([resultWith({ level: 'Error' })]))[0]?.severity, 'high');
});

test('a log without runs has no findings', () => {
  assert.deepEqual(readSarif({ version: '2.1.0', runs: null }), []);
});

test('external files for anything but results are ignored', () => {
  const externalPropertyFileReferences = {
    artifacts: [{ location: { uri: 'artifacts.json' } }],
    results: [],
  };
  assert.equal(readSarif(logOf([resultWith()], { externalPropertyFileReferences })).length, 1);
});

test('too many results are rejected, not truncated', () => {
  const results = new Array(MAX_RESULTS + 1).fill({ kind: 'pass', message: { text: '' } });
  assert.throws(() => readSarif(logOf(results)), { code: 'TOO_MANY_RESULTS', path: 'runs[0].results' });
  assert.deepEqual(readSarif(logOf(results.slice(1))), []);
});

test('any JSON in place of a log, run or result is read or rejected with a SarifError', () => {
  const json = fc.jsonValue();
  const result = fc.record(
    {
      ruleId: fc.oneof(fc.string(), json),
      ruleIndex: fc.oneof(fc.integer(), json),
      message: fc.oneof(fc.record({ text: fc.string() }), json),
      locations: fc.oneof(fc.array(fc.record({ physicalLocation: json })), json),
      partialFingerprints: fc.oneof(fc.dictionary(fc.string(), fc.string()), json),
      properties: fc.oneof(fc.dictionary(fc.string(), json), json),
      taxa: json,
    },
    { requiredKeys: [] },
  );
  const log = fc.oneof(
    json,
    fc.record({ version: fc.constant('2.1.0'), runs: json }),
    fc.array(fc.oneof(result, json)).map((results) => logOf(results)),
  );
  fc.assert(
    fc.property(log, (value) => {
      try {
        readSarif(value);
      } catch (error) {
        assert.ok(error instanceof SarifError, String(error));
      }
    }),
    { numRuns: 500 },
  );
});
