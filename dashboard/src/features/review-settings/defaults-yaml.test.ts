import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeFault, readYaml, toYaml } from './defaults-yaml.ts';

test('settings become YAML and back', () => {
  const settings = { reviews: { fail_on: 'major', path_filters: ['!dist/**'] }, language: 'de' };
  assert.deepEqual(readYaml(toYaml(settings)), { value: settings });
  assert.equal(toYaml({}), '');
  assert.deepEqual(readYaml(''), { value: {} });
});

test('a fault is shown with its line: of the YAML, and of what the server refuses', () => {
  const broken = readYaml('reviews: [\n');
  assert.ok('faults' in broken && /^line \d+, column \d+: /.test(broken.faults[0]!));
  const text = 'language: en\nreviews:\n  fail_on: never\n';
  assert.equal(
    placeFault('defaults.reviews.fail_on: must be one of critical', text),
    'line 3: reviews.fail_on: must be one of critical',
  );
  assert.equal(placeFault('defaults.review: unknown field', text), 'review: unknown field');
  assert.equal(
    placeFault(
      'enforced_checks.title.pattern: is no pattern',
      'size: {}\ntitle:\n  pattern: "("\n',
      'enforced_checks',
    ),
    'line 3: title.pattern: is no pattern',
  );
  assert.equal(
    placeFault('budget_usd_per_month: must be a number', text),
    'budget_usd_per_month: must be a number',
  );
});
