import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReviewerComment } from './read-reviewer-comment.ts';

/** Samples in the formats of these reviewers: comment, severity, category, title. */
const samples: readonly (readonly [string, string, string | null, string | null, string])[] = [
  [
    'CodeRabbit',
    '_⚠️ Potential issue_ | _🟠 Major_\n\n**Guard against a missing user.**\n\nThe value may be null.',
    'major',
    null,
    'Guard against a missing user.',
  ],
  [
    'CodeRabbit with a category',
    '_🔒 Security & Privacy_ | _🔴 Critical_ | _⚡ Quick win_\n\n**Token is logged.**',
    'critical',
    'security_and_privacy',
    'Token is logged.',
  ],
  [
    'CodeRabbit nitpick',
    '_🧹 Nitpick_ | _🔵 Trivial_\n\nPrefer a constant.',
    'trivial',
    'maintainability_and_code_quality',
    'Prefer a constant.',
  ],
  [
    'CodeRabbit refactoring',
    '_🛠️ Refactor suggestion_ | _🟡 Minor_\n\nExtract this.',
    'minor',
    'maintainability_and_code_quality',
    'Extract this.',
  ],
  [
    'Cursor Bugbot',
    '### Wrong index in loop\n\n**High Severity**\n\n<!-- DESCRIPTION START -->\nThe loop skips the last item.\n<!-- DESCRIPTION END -->',
    'major',
    null,
    'Wrong index in loop',
  ],
  [
    'Gemini Code Assist',
    '![security-medium](https://host.test/security-medium-priority.svg)\n\nThe query is built from input.',
    'minor',
    'security_and_privacy',
    'The query is built from input.',
  ],
  [
    'Codex',
    '**<sub><sub>![P1 Badge](https://host.test/badge/P1-orange)</sub></sub>  Keep the lock while writing**\n\nTwo writers …',
    'major',
    null,
    'Keep the lock while writing',
  ],
  [
    'Greptile',
    '**logic:** the condition is inverted',
    null,
    'functional_correctness',
    'logic: the condition is inverted',
  ],
  [
    'Greptile with a badge',
    '<img alt="P2" src="x.svg"> The name is misleading.',
    'minor',
    null,
    'The name is misleading.',
  ],
  [
    'Sourcery',
    '**issue (bug_risk):** The index may be out of range.',
    null,
    'functional_correctness',
    'issue (bug_risk): The index may be out of range.',
  ],
  [
    'Sourcery nitpick',
    '**nitpick (typo):** Spelling.',
    'trivial',
    'maintainability_and_code_quality',
    'nitpick (typo): Spelling.',
  ],
  [
    'Copilot',
    '[nitpick] Consider a shorter name.',
    'trivial',
    'maintainability_and_code_quality',
    '[nitpick] Consider a shorter name.',
  ],
  [
    'Qodo',
    '**Suggestion:** Validate the input. [possible issue, importance: 8]',
    'major',
    null,
    'Suggestion: Validate the input.',
  ],
  [
    'Ellipsis',
    'Consider handling the error case here.',
    null,
    null,
    'Consider handling the error case here.',
  ],
  [
    'a person',
    'This is critical for security, but the performance is high and the bug is minor.',
    null,
    null,
    'This is critical for security, but the performance is high and the bug is minor.',
  ],
];

for (const [name, body, severity, category, title] of samples)
  test(`severity and category are read as ${name} writes them, and are null where it says nothing`, () => {
    const read = readReviewerComment(body);
    assert.deepEqual(
      { severity: read.severity, category: read.category, title: read.title },
      { severity, category, title },
    );
  });

test('a block that the host offers to apply is the suggestion', () => {
  const of = (body: string) => readReviewerComment(body).suggestion;
  assert.equal(of('Use this:\n```suggestion\n  return a?.b;\n```\nThanks'), '  return a?.b;');
  assert.equal(of('```suggestion:-0+1\na();\nb();\n```'), 'a();\nb();');
  assert.equal(of('```suggestion\n```'), '');
  assert.equal(of('```ts\nreturn 1;\n```'), null);
});

test('a comment made to take long is read at once', () => {
  for (const part of ['_a_ | ', '**a', '[', '![', '<!--', '```suggestion\n', '<', 'critical '])
    assert.equal(typeof readReviewerComment(part.repeat(20_000)).title, 'string');
});
