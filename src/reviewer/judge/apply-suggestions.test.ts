import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleFinding } from '../../../test/hosts/contracts/sample-findings.ts';
import fc from '../../../test/properties.ts';
import { stillParses } from '../code/still-parses.ts';
import type { Finding } from '../finding.ts';
import { applySuggestions } from './apply-suggestions.ts';

/** A finding of a rule on lines of a text, with a suggestion for them. */
function suggesting(
  text: string,
  startLine: number,
  endLine: number,
  suggestion: string,
  more?: Partial<Finding>,
) {
  const quote = text
    .split('\n')
    .slice(startLine - 1, endLine)
    .join('\n');
  const place = { startLine, endLine, quote, suggestion };
  return sampleFinding({
    identity: `${startLine}-${endLine}-${suggestion}`,
    confidence: 'proven',
    ...place,
    ...more,
  });
}

const statements = [
  'a();',
  'if (b) {',
  '}',
  'const c = 1;',
  '  d(c); // é',
  '',
  'return;',
  '/* e',
  '*/',
  'f(`',
];

const anyFile = fc
  .record({
    lines: fc.array(fc.constantFrom(...statements), { minLength: 1, maxLength: 12 }),
    ending: fc.constantFrom('\n', '\r\n'),
    endsWhole: fc.boolean(),
  })
  .map(({ lines, ending, endsWhole }) => lines.join(ending) + (endsWhole ? ending : ''));

const anyFindings = (text: string) => {
  const count = text.split('\n').length;
  const line = fc.integer({ min: 1, max: count + 1 });
  const suggestion = fc
    .array(fc.constantFrom(...statements, 'x.y();', 'z = {'), { minLength: 1, maxLength: 3 })
    .chain((lines) => fc.constantFrom(lines.join('\n'), lines.join('\r\n'), `${lines.join('\n')}\n`));
  return fc.array(
    fc
      .record({ line, length: fc.integer({ min: 0, max: 2 }), suggestion, isMoved: fc.boolean() })
      .map(({ line, length, suggestion, isMoved }) => {
        const finding = suggesting(text, line, line + length, suggestion);
        return isMoved ? { ...finding, quote: `${finding.quote} moved` } : finding;
      }),
    { maxLength: 6 },
  );
};

test('whatever is suggested, only reported lines change, they were as reported, and the file still parses', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyFile.chain((text) => fc.record({ text: fc.constant(text), findings: anyFindings(text) })),
      async ({ text, findings }) => {
        const { text: after, fixed } = await applySuggestions('a.js', text, findings);
        if (fixed.length === 0) return assert.equal(after, text);
        assert.ok(await stillParses('a.js', text, after));
        const chosen = fixed
          .map((id) => findings.find(({ identity, quote }) => identity === id && !quote.endsWith('moved'))!)
          .sort((a, b) => a.startLine! - b.startLine!);
        const [before, now] = [text.split('\n'), after.split('\n')];
        const expected: string[] = [];
        let next = 1;
        for (const { startLine, endLine, suggestion } of chosen) {
          assert.ok(startLine! >= next && endLine! <= before.length, 'no two replace one line');
          expected.push(...before.slice(next - 1, startLine! - 1));
          expected.push(...suggestion!.replace(/\n$/, '').split('\n'));
          next = endLine! + 1;
        }
        expected.push(...before.slice(next - 1));
        const bare = (lines: readonly string[]) => lines.map((line) => line.replace(/\r$/, ''));
        assert.deepEqual(bare(now), bare(expected));
        const hasReturns = before.length > 1 && before[0]!.endsWith('\r');
        assert.ok(
          now.slice(0, -1).every((line) => line.endsWith('\r') === hasReturns),
          'lines end as they did',
        );
        assert.equal(now.at(-1)!.endsWith('\r'), before.at(-1)!.endsWith('\r'));
      },
    ),
    { numRuns: 400 },
  );
});

test('only suggestions of rules that are proven are applied, and never on lines with a credential', async () => {
  const text = `a();\nconst t = 'ghp_${'aB3dE5gH7j'.repeat(4).slice(0, 36)}';\n`;
  const refused = [
    suggesting(text, 1, 1, 'b();', { source: { kind: 'model', name: 'm' } }),
    suggesting(text, 1, 1, 'b();', { confidence: 'likely' }),
    suggesting(text, 1, 1, 'b();', { side: 'old' }),
    suggesting(text, 1, 1, 'b();', { startLine: null, endLine: null }),
    suggesting(text, 2, 2, 'c();'),
  ];
  assert.deepEqual(await applySuggestions('a.js', text, refused), { text, fixed: [] });
  const done = await applySuggestions('a.js', text, [suggesting(text, 1, 1, 'b();', { identity: 'one' })]);
  assert.deepEqual(done, { text: text.replace('a()', 'b()'), fixed: ['one'] });
});
