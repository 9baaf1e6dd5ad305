import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../test/properties.ts';
import { allRules } from './all-rules.ts';
import { REDACTION_MARKER, redactCredentials } from './redact-credentials.ts';
import { generateSample, seededRandom } from './samples/generate-sample.ts';
import { gitleaksFormats } from './samples/gitleaks-formats.ts';
import { prefixedFormats } from './samples/prefixed-formats.ts';
import { survives } from './samples/survives.ts';

const WORDS =
  'the review keeps each token short and a reader finds password rules in docs before any key is used (see #12).'.split(
    ' ',
  );
const prose = fc.array(fc.constantFrom(...WORDS), { maxLength: 25 }).map((words) => words.join(' '));

/** Formats that are recognized by their prefix, without a name before them. */
const formats = [...Object.values(gitleaksFormats).flat(), ...prefixedFormats].filter(
  ({ format, forms }) => forms === undefined && /^[^[]{3,}/.test(format),
);
const secret = fc
  .tuple(fc.constantFrom(...formats), fc.integer())
  .map(([{ format }, seed]) => generateSample(format, seededRandom(seed)).split('¦'));
const gap = fc.constantFrom(' ', '\n', ', ', '\t', ': ', '"', "'", '`', ' (', '>', '=', '\u00a0', '…', '😀');

test('no recognized secret survives, whatever prose surrounds it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(prose, gap, secret, gap), { minLength: 1, maxLength: 4 }),
      prose,
      (parts, end) => {
        const text =
          parts.map(([before, left, made, right]) => before + left + made.join('') + right).join('') + end;
        const redacted = redactCredentials(text);
        for (const [, , made] of parts) assert.ok(!survives(made.at(-1) as string, redacted), redacted);
      },
    ),
    { numRuns: 1500 },
  );
});

test('no random-looking value assigned to a secret name survives', () => {
  const name = fc.constantFrom(
    'api_key',
    'apiToken',
    'CLIENT_SECRET',
    'db.password',
    'x-auth-token',
    'secret',
    'privateKey',
  );
  const join = fc.constantFrom('=', ' = ', ': ', ':', ' := ', '="', ": '", '": "', ' => "', ' is ');
  const value = fc.integer().map((seed) => generateSample('[A-Za-z0-9_]{32,60}', seededRandom(seed)));
  fc.assert(
    fc.property(
      prose,
      name,
      join,
      value,
      fc.constantFrom('', ' ', '\n', ';', ','),
      prose,
      (before, n, j, v, after, end) => {
        const quote = /["']$/.exec(j)?.[0] ?? '';
        assert.ok(!survives(v, redactCredentials(`${before}\n${n}${j}${v}${quote}${after} ${end}`)));
      },
    ),
    { numRuns: 1000 },
  );
});

/** Text that comes close to every rule: keywords, operators, quotes, halves of secrets and the marker itself. */
const pieces = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...new Set(allRules.flatMap(({ keywords }) => keywords))) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '=',
      ':',
      '"',
      "'",
      ' ',
      '\n',
      '://',
      '@',
      '.',
      '-',
      '_',
      '|',
      '{',
      '$',
      '\\',
      '<',
      '/',
    ),
  },
  { weight: 2, arbitrary: secret.map((made) => made.join('')) },
  { weight: 1, arbitrary: secret.map((made) => made.join('').slice(0, 15)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      REDACTION_MARKER,
      '-----BEGIN PRIVATE KEY-----',
      '-----END PRIVATE KEY-----',
      'kind: Secret\n',
      'data:\n',
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
);

test('redacting twice changes nothing', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const once = redactCredentials(parts.join(''));
      assert.equal(redactCredentials(once), once);
    }),
    { numRuns: 1500 },
  );
});

test('any text is redacted without an error, and redacting it again changes nothing', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes)),
      ),
      (text) => {
        const once = redactCredentials(text);
        assert.equal(redactCredentials(once), once);
      },
    ),
    { numRuns: 1500 },
  );
});
