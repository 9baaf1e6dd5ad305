import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/properties.ts';
import { redactCredentials } from '../redact-credentials.ts';
import { generateSample, seededRandom } from '../samples/generate-sample.ts';

const random = seededRandom(1515);

/** `‹…›` is the secret, newly generated for each line; `≈` is the same secret again, in a place where no rule finds it. */
const REPEATED: readonly [format: string, text: string, redacted: string][] = [
  ['[A-Za-z0-9]{32}', "token = '‹›' | '≈'", "token = '[REDACTED]' | '[REDACTED]'"],
  ['[A-Za-z0-9]{32}', 'It was ≈. api_key=‹› then', 'It was [REDACTED]. api_key=[REDACTED] then'],
  ['[0-9a-f]{40}', 'client_secret: "‹›"\n# old: ≈', 'client_secret: "[REDACTED]"\n# old: [REDACTED]'],
  ['[A-Za-z0-9]{24}', 'secret="‹›" cache/v1-≈x/2', 'secret="[REDACTED]" cache/v1-[REDACTED]x/2'],
  [
    '[a-z]{5}[0-9]{3}!',
    'password: "‹›"\nlogin("joe", "≈")',
    'password: "[REDACTED]"\nlogin("joe", "[REDACTED]")',
  ],
  ['hunter[0-9]{2}', 'password = "‹›"; try ≈, or ≈9', 'password = "[REDACTED]"; try [REDACTED], or ≈9'],
];

for (const [format, text, redacted] of REPEATED) {
  test(`a secret is redacted wherever it occurs again: ${JSON.stringify(redacted)}`, () => {
    for (let round = 0; round < 20; round += 1) {
      const secret = generateSample(format, random);
      const once = redactCredentials(text.replace('‹›', secret).replaceAll('≈', secret));
      assert.equal(once, redacted.replaceAll('≈', secret));
      assert.equal(redactCredentials(once), once);
    }
  });
}

test('a word or number used as a password stays where it is ordinary text', () => {
  for (const password of ['swordfish', 'postgres', '12345678', 'letmein']) {
    assert.equal(
      redactCredentials(`DB_PASSWORD=${password}\nThe ${password} is in ${password}.md`),
      `DB_PASSWORD=[REDACTED]\nThe ${password} is in ${password}.md`,
    );
  }
});

test('no recognized secret that occurs more than once survives, in any order', () => {
  // About one in ten thousand random values looks like a name in code and is not recognized.
  const isRecognized = (value: string) => !redactCredentials(`token_0 = "${value}"\n`).includes(value);
  const secret = fc
    .integer()
    .map((seed) => generateSample('[A-Za-z0-9]{32,60}', seededRandom(seed)))
    .filter(isRecognized);
  const gap = fc.constantFrom(' ', '\n', ' | ', "', '", ': ', '/', '(', 'see ', 'the old value was ', '😀');
  fc.assert(
    fc.property(fc.array(secret, { minLength: 1, maxLength: 20 }), fc.array(gap), (secrets, gaps) => {
      const known = secrets.map((value, index) => `token_${index} = "${value}"\n`);
      const again = secrets.map((value, index) => (gaps[index] ?? ' ') + value);
      const redacted = redactCredentials([...again, '\n', ...known, ...again.reverse()].join(''));
      for (const value of secrets) assert.ok(!redacted.includes(value), redacted);
      assert.equal(redactCredentials(redacted), redacted);
    }),
    { numRuns: 200 },
  );
});
