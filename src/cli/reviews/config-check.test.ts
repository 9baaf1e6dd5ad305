import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { childEnvironment } from '../../../test/child-environment.ts';

const main = path.join(import.meta.dirname, '../main.ts');

function check(input: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'config', 'check', '-'], {
    env: childEnvironment,
    encoding: 'utf8',
    input,
  });
  return { status, stdout, stderr };
}

test('the checks of a file are listed, with built-in settings', () => {
  const { status, stdout } = check(`checks:
  owners: { mode: error }
  size: { max_lines: 800, ignore: ["**/*.lock"] }
  together: [{ name: api-docs, when: [src/**], require: [docs/**], mode: "off" }]
`);
  assert.equal(status, 0);
  assert.deepEqual(stdout.split('\n').slice(1), [
    '  size      warning (built in)  max_lines 800, ignore ["**/*.lock"]',
    '  api-docs  off  when ["src/**"], require ["docs/**"]',
    '  owners    error  approvals 1 (built in)',
    '',
  ]);
});

test('invalid patterns, patterns that need more than linear time, unknown checks and duplicate names are reported together, with their lines', () => {
  const { status, stderr } = check(`checks:
  title: { pattern: "(" }
  linked_issue: { patterns: ["(a)\\\\1"] }
  titel: { pattern: x }
  together: [{ name: tests, when: [a], require: [b] }, { name: docs }]
  ask: [{ name: size, instructions: x }, { name: tests, instructions: x, mode: loud }]
`);
  assert.equal(status, 1);
  assert.deepEqual(
    stderr
      .trim()
      .split('\n')
      .map((line) => line.replace(/^[^:]*:/, '').replace(/linear time: .*$/, 'linear time')),
    [
      '2:21: checks.title.pattern: must be a regular expression that is matched in linear time',
      '3:30: checks.linked_issue.patterns[0]: must be a regular expression that is matched in linear time',
      '4:3: checks.titel: unknown field',
      '5:56: checks.together[1].when: is required',
      '5:56: checks.together[1].require: is required',
      '6:17: checks.ask[0].name: another check is called size',
      '6:50: checks.ask[1].name: another check is called tests',
      '6:80: checks.ask[1].mode: must be one of error, warning, off',
    ],
  );
});
