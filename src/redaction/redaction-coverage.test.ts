import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactCredentials } from './redact-credentials.ts';
import { generateSample, seededRandom } from './samples/generate-sample.ts';
import { gitleaksFormats } from './samples/gitleaks-formats.ts';
import { prefixedFormats } from './samples/prefixed-formats.ts';
import type { ScannerFormat } from './samples/scanner-format.ts';
import { survives } from './samples/survives.ts';

/** How a secret `‹s›` of an owner `‹o›` is written in common languages and file formats. */
const FORMS = [
  '‹o›Token="‹s›"',
  '‹o›Token = "‹s›"',
  '‹o›Token=‹s›',
  '‹o›Token = ‹s›',
  '{\n  "‹o›_token": "‹s›"\n}',
  '{\\"‹o›_token\\": \\"‹s›\\"}',
  '<‹o›Token>‹s›</‹o›Token>',
  '<‹o›Token>\n    ‹s›\n</‹o›Token>',
  '‹o›_token: ‹s›',
  "‹o›_token: '‹s›'",
  '‹o›_token: "‹s›"',
  '‹o›_token: |\n  ‹s›',
  '‹o›_token: >\n  ‹s›',
  'string ‹o›Token = "‹s›";',
  'var ‹o›Token string = "‹s›"',
  '‹o›Token := "‹s›"',
  '‹o›Token := `‹s›`',
  'String ‹o›Token = "‹s›";',
  'const ‹o›Token: string = "‹s›"',
  '$‹o›Token .= "‹s›"',
  '$‹o›Token ??= "‹s›"',
  "‹o›Token = '‹s›'",
  '‹o›Token,‹s›,',
  '  "‹o›Token" => "‹s›"',
  '‹o›_TOKEN ::= "‹s›"',
  '‹o›_TOKEN ?= "‹s›"',
  '‹o›_TOKEN += "‹s›"',
  'export ‹o›_API_TOKEN=‹s›',
  '- name: ‹o›_TOKEN\n  value: ‹s›',
  '"name": "‹o›_TOKEN", "value": "‹s›"',
  'getOrDefault("‹o›_token", "‹s›")',
  '--‹o›-token ‹s›',
  'https://api.example.com/v1?‹o›_token=‹s›&page=2',
];
const SAMPLES = 3;

test('at least 95 % of the true positives of every rule family of a public scanner are redacted', (context) => {
  let total = { gone: 0, made: 0 };
  const knownRules = new Set<string>();
  for (const [family, formats] of Object.entries(gitleaksFormats)) {
    const count = { gone: 0, made: 0 };
    const missed = new Map<string, string[]>();
    for (const format of formats) {
      knownRules.add(format.rule);
      for (const { form, isLeft } of samplesOf(format)) {
        count.made += 1;
        if (isLeft) missed.set(format.rule, [...(missed.get(format.rule) ?? []), form]);
        else count.gone += 1;
      }
    }
    total = { gone: total.gone + count.gone, made: total.made + count.made };
    const rules = new Set(formats.map(({ rule }) => rule)).size;
    context.diagnostic(`${family}: ${rules} rules, ${count.gone} of ${count.made} samples gone`);
    for (const [rule, forms] of missed)
      context.diagnostic(`  ${rule}: ${forms.length} stay, as in ${JSON.stringify(forms[0])}`);
    assert.ok(
      count.gone >= count.made * 0.95,
      `${family}: only ${count.gone} of ${count.made} samples are gone`,
    );
  }
  context.diagnostic(`all: ${knownRules.size} rules, ${total.gone} of ${total.made} samples gone`);
  assert.ok(total.gone >= total.made * 0.95);
});

test('each rule of a public scanner is covered: most of its samples are redacted', () => {
  const uncovered = Object.values(gitleaksFormats)
    .flat()
    .filter((format) => {
      const samples = samplesOf(format);
      return samples.filter(({ isLeft }) => isLeft).length > samples.length / 2;
    })
    .map(({ rule }) => rule);
  assert.deepEqual(uncovered, []);
});

test('a token with a distinctive prefix is redacted anywhere in a sentence', (context) => {
  const prefixed = [...Object.values(gitleaksFormats).flat(), ...prefixedFormats].filter(
    ({ format, forms }) => forms === undefined && /^[^[]{3,}/.test(format),
  );
  const places = [
    'Do not use ‹s› here.',
    '(‹s›)',
    '`‹s›`',
    '‹s›',
    'see "‹s›", please',
    'first line\n‹s›\nthird line',
  ];
  const surviving = prefixed.filter((format) =>
    samplesOf({ ...format, forms: places }).some(({ isLeft }) => isLeft),
  );
  context.diagnostic(`${prefixed.length} formats with a prefix`);
  assert.deepEqual(
    surviving.map(({ rule, format }) => `${rule} ${format}`),
    [],
  );
});

function samplesOf(format: ScannerFormat): { form: string; isLeft: boolean }[] {
  const random = seededRandom(format.format.length * 7919 + format.rule.length);
  return (format.forms ?? FORMS).flatMap((form) =>
    Array.from({ length: SAMPLES }, () => {
      const [open = '', hidden] = generateSample(format.format, random).split('¦');
      const written = form
        .replaceAll('‹o›', () => format.owner)
        .replaceAll('‹s›', () => open + (hidden ?? ''));
      return { form, isLeft: survives(hidden ?? open, redactCredentials(written)) };
    }),
  );
}
