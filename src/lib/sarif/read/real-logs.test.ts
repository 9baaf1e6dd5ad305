import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifyFindings } from '../../../capabilities/security-findings/scans/identify-findings.ts';
import { realLog } from '../fixtures/logs.ts';
import { readSarif } from './read-sarif.ts';

const brief = (name: string) =>
  readSarif(realLog(name)).map(
    ({ ruleId, severity, filePath, startLine, suppressed }) =>
      `${severity} ${ruleId} ${filePath}:${startLine}${suppressed ? ` (${suppressed.reason})` : ''}`,
  );

test('a log of ESLint, with files embedded and one comment that disables a rule', () => {
  assert.deepEqual(brief('eslint'), [
    'medium security/detect-object-injection /checkout/src/pick me.js:4',
    'medium security/detect-object-injection /checkout/src/pick me.js:8',
    'high no-undef /checkout/src/server.js:1',
    'high no-undef /checkout/src/server.js:2',
    'medium security/detect-child-process /checkout/src/server.js:5',
    'medium security/detect-eval-with-expression /checkout/src/server.js:6',
    'high no-eval /checkout/src/server.js:6',
    'medium security/detect-non-literal-fs-filename /checkout/src/server.js:10',
    'medium security/detect-non-literal-regexp /checkout/src/server.js:15',
    'high no-debugger /checkout/src/server.js:16',
    'high no-undef /checkout/src/server.js:17',
    'high no-eval /checkout/src/server.js:14 (the template compiler needs it)',
  ]);
  const findings = readSarif(realLog('eslint'));
  assert.equal(findings[0]?.snippet, '  return table[key];\r\n');
  const scan = { tool: 'ESLint', scannedAt: new Date(), scanId: 's', isNewest: true };
  assert.equal(identifyFindings(scan, findings, []).length, findings.length);
});

test('a log of Biome, which writes bare absolute paths', () => {
  assert.deepEqual(brief('biome'), [
    'low lint/style/useTemplate /checkout/src/server.js:5',
    'low lint/style/useTemplate /checkout/src/server.js:15',
    'medium lint/correctness/noUnusedFunctionParameters /checkout/src/server.js:5',
    'high lint/suspicious/noDebugger /checkout/src/server.js:16',
    'high lint/security/noGlobalEval /checkout/src/server.js:6',
    'high lint/security/noGlobalEval /checkout/src/server.js:14',
  ]);
});

test('a log of PMD', () => {
  assert.deepEqual(brief('pmd'), ['medium HardCodedCryptoKey /checkout/src/Vault.java:9']);
});

test('a log of the SARIF Multitool, with messages by id and arguments', () => {
  const findings = readSarif(realLog('sarif-multitool'));
  assert.deepEqual(brief('sarif-multitool'), [
    'high GH1011 /checkout/eslint.sarif:3',
    'high GH2012 /checkout/eslint.sarif:11',
    'high SARIF1011 /checkout/eslint.sarif:3',
    'low SARIF2002 /checkout/eslint.sarif:112',
    'low SARIF2003 /checkout/eslint.sarif:5',
    'low SARIF2006 /checkout/eslint.sarif:3',
    'low SARIF2009 /checkout/eslint.sarif:12',
    'low SARIF2011 /checkout/eslint.sarif:117',
    'low SARIF2012 /checkout/eslint.sarif:11',
    'low SARIF2016 /checkout/eslint.sarif:119',
  ]);
  const [first] = findings;
  assert.match(
    first?.title ?? '',
    /^The '\$schema' property must refer to the final version of .* log files\.$/,
  );
  assert.match(
    first?.description ?? '',
    /^\$schema: The '\$schema' property value 'http:\/\/json\.schemastore\.org\/sarif-2\.1\.0-rtm\.5' does not/,
  );
});

test('a log of ast-grep, which writes its own version instead of that of SARIF, is rejected with a clear reason', () => {
  assert.throws(() => readSarif(realLog('ast-grep')), {
    code: 'UNSUPPORTED_VERSION',
    message: 'version: is "0.51.0", expected "2.1.0"',
  });
});
