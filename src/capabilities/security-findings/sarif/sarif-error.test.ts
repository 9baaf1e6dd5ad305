import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { logOf, resultWith } from './fixtures/logs.ts';
import { MAX_RESULTS, readSarif } from './read-sarif.ts';
import { SarifError } from './sarif-error.ts';

const run = (parts: object) => ({ version: '2.1.0', runs: [parts] });
const tool = { driver: { name: 'Scanner' } };

test('what is not SARIF 2.1.0 is refused with the place and the reason', () => {
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
    [run({ tool, results: [{ ruleId: 'R' }] }), 'NOT_SARIF', 'runs[0].results[0].message', /expected object/],
    [logOf([resultWith(), 3]), 'NOT_SARIF', 'runs[0].results[1]', /expected object/],
    [logOf([resultWith({ level: 'fatal' })]), 'NOT_SARIF', 'runs[0].results[0].level', /"error"/],
    [
      logOf([resultWith({ locations: [{ physicalLocation: { artifactLocation: { uri: 5 } } }] })]),
      'NOT_SARIF',
      'runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri',
      /expected string/,
    ],
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

test('external files for anything but results do no harm', () => {
  const externalPropertyFileReferences = {
    artifacts: [{ location: { uri: 'artifacts.json' } }],
    results: [],
  };
  assert.equal(readSarif(logOf([resultWith()], { externalPropertyFileReferences })).length, 1);
});

test('too many results are refused, not cut off', () => {
  const results = new Array(MAX_RESULTS + 1).fill({ kind: 'pass', message: { text: '' } });
  assert.throws(() => readSarif(logOf(results)), { code: 'TOO_MANY_RESULTS', path: 'runs[0].results' });
  assert.deepEqual(readSarif(logOf(results.slice(1))), []);
});

test('whatever JSON stands in place of a log, run or result, it is read or refused with a SarifError', () => {
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
