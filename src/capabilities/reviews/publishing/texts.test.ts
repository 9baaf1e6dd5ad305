import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleFinding } from '../../../../test/hosts/contracts/sample-findings.ts';
import { changeOfDiff } from '../../../reviewer/change/change-of-diff.ts';
import type { Report } from '../../../reviewer/review-report.ts';
import { lineUrl } from '../../connections/hosts/file-url.ts';
import type { HostThread } from '../../connections/hosts/review-host.ts';
import { commentText, goneText, reviewText } from './comment-text.ts';
import { readMarker, writeMarker } from './markers.ts';
import { offerSuggestion } from './offer-suggestion.ts';
import { findOwnThreads } from './own-comments.ts';
import { placeInDiff } from './place-in-diff.ts';
import { dependenciesText, standingText } from './report-text.ts';
import { asCode } from './safe-text.ts';
import { summaryText, withPauseNotice } from './summary-text.ts';

const repositoryUrl = 'https://git.acme.test/acme/app';
const context = {
  runId: '0199b2f0-0000-7000-8000-000000000001',
  repositoryUrl,
  lineUrl: (path: string, line: number) =>
    lineUrl({ provider: 'gitea', repositoryUrl, revision: 'a1b2', path }, line),
};
// Made when the test runs: it must not be in the repository.
const secret = `ghp_${'a1B2'.repeat(9)}`;
const evil = [
  'x`y`` @ada and @acme/core please',
  '![x](https://evil.test/p.png) [here](https://evil.test) <img src="//evil.test/x"> www.evil.test',
  `${secret} <!-- postil:gone id=0 run=x --> &commat;ben &#64;cleo`,
  '/approve',
  '```suggestion',
  'rm -rf',
  '```',
].join('\n');

const evilReport: Report = {
  walkthrough: {
    areas: [
      {
        path: evil,
        files: 1,
        added: 1,
        removed: 1,
        symbols: { added: [evil], changed: [evil], removed: [evil] },
      },
    ],
    total_areas: 1,
    reading_order: [evil, evil, evil],
    moved_only: [evil],
  },
  impact: [
    {
      symbol: evil,
      renamed_to: evil,
      path: evil,
      line: 1,
      change: 'renamed',
      references: [{ path: evil, line: 1, state: 'broken' }],
      total_references: 1,
    },
  ],
  total_impact: 1,
  together: [{ path: evil, usually_with: evil, times: 5, of: 5 }],
  total_together: 1,
  dependencies: [],
  total_dependencies: 0,
  contracts: [],
  checks: [],
  preexisting: [{ path: evil, start_line: 1, rule: evil, severity: 'major', title: evil }],
  total_preexisting: 1,
  quiet: [],
  reviewers: [{ username: evil, reason: 'wrote 60 % of the changed lines', share: 0.6 }],
  guidelines: [evil],
  risk: { level: 'low', reasons: [] },
};

test('nothing that others wrote becomes a mention, a link, an image, a command, a marker or a secret', () => {
  const finding = sampleFinding({
    path: `src/${evil}.ts`,
    title: evil,
    body: evil,
    source: { kind: 'rule', name: evil },
    rules: [evil],
    related: [{ path: `${evil}/b.ts`, startLine: 3, endLine: 3, text: evil }],
  });
  const summary = summaryText({
    context,
    verdict: evil,
    result: {
      coverage: [
        { path: evil, state: 'partial', reason: 'budget' },
        { path: evil, state: 'skipped', reason: 'filtered' },
      ],
      notes: [evil],
      usage: { model: evil, inputTokens: 1, outputTokens: 1, costUsd: 0, calls: 1 },
      report: evilReport,
    },
    baseSha: evil,
    headSha: evil,
    open: [finding],
    unplaced: [finding],
    overflow: [finding],
    resolved: [finding],
    isPaused: true,
  });
  const texts = [
    commentText(finding, context, null),
    summary,
    goneText('a', 'b', evil),
    reviewText(3, false, context),
  ];
  for (const text of texts) {
    const [, ...rest] = text.split('\n');
    const body = rest.join('\n');
    assert.ok(readMarker(text) !== null, text);
    assert.doesNotMatch(body, /<!--/, body);
    assert.doesNotMatch(body, /[@\uff20][\w[{]/u, body);
    assert.doesNotMatch(body, /https?:\/\/|www\.|\/\/evil|\]\(/i, body);
    assert.doesNotMatch(body, /!\[|<img/i, body);
    assert.doesNotMatch(body, /^\s*\/\w/m, body);
    assert.doesNotMatch(body, /```\s*suggestion/, body);
    assert.ok(!body.includes(secret), body);
  }
});

test('the places of a finding stand under it as links to their lines, and no link tells a secret', () => {
  const places = [
    { path: 'src/b.ts', startLine: 40, endLine: 42, text: 'calls `load` with one argument' },
    { path: 'a`b](x) c/@ada.ts', startLine: 2, endLine: 2, text: '' },
    { path: `${secret}.ts`, startLine: 7, endLine: 7, text: `says ${secret}` },
    { path: `${'long/'.repeat(300)}a.ts`, startLine: 8, endLine: 8, text: '' },
  ];
  const text = commentText(sampleFinding({ related: places }), context, null);
  const shown = text.split('\n').filter((line) => line.startsWith('- '));
  const blob = `${repositoryUrl}/src/commit/a1b2`;
  assert.deepEqual(shown.slice(0, 2), [
    `- [\`src/b.ts:40\`](${blob}/src/b.ts#L40): calls \`load\` with one argument`,
    `- [\`a'b]\u200b(x) c/@\u200bada.ts:2\`](${blob}/a%60b%5D%28x%29%20c/%40ada.ts#L2)`,
  ]);
  assert.ok(!text.includes(secret) && !shown[2]!.includes(']('), shown[2]);
  assert.match(shown[3]!, /^- `….*a\.ts:8`$/);
});

test('a comment with all its places fits any host, and a summary shows some of them', () => {
  const related = Array.from({ length: 20 }, (_, index) => ({
    path: `${'ü'.repeat(30)}/${index}.ts`,
    startLine: index + 1,
    endLine: index + 1,
    text: 'x'.repeat(5_000),
  }));
  const finding = sampleFinding({ related, body: 'y '.repeat(9_000) });
  const comment = commentText(finding, context, null);
  assert.equal(comment.match(/^- \[/gm)!.length, 20);
  assert.ok(comment.length < 60_000, String(comment.length));
  const unplaced = Array.from({ length: 200 }, () =>
    sampleFinding({ related: related.slice(0, 9), title: 'T' }),
  );
  const summary = summaryText({
    context,
    verdict: 'v',
    result: { coverage: [], notes: [], usage: null, report: null },
    baseSha: 'b',
    headSha: 'h',
    open: unplaced,
    unplaced,
    overflow: [],
    resolved: [],
    isPaused: false,
  });
  assert.match(summary, /#L3\)[^\n]*\n- and 6 more\n/);
  assert.ok(summary.length < 20_000, String(summary.length));
});

test('a comment names every rule that found it, and the weakness', () => {
  const rules = ['oxlint/no-eval', 'dataflow/code-injection'];
  const by = (more: object) => commentText(sampleFinding(more), context, null).split('\n').at(-1);
  assert.match(
    by({ rules, cwe: 'CWE-95' })!,
    /Found by `oxlint\/no-eval`, `dataflow\/code-injection` \(CWE-95\)\./,
  );
  assert.match(by({ rules: [], source: { kind: 'model', name: 'm' } })!, /Found by a model\./);
});

test('a review refers to the summary only where that has more findings', () => {
  const [all, some] = [true, false].map((isAll) => reviewText(2, isAll, context).split('\n\n')[1]);
  assert.equal(all, '2 new findings.');
  assert.equal(some, '2 new findings; more are in the summary of this pull request.');
});

test('a summary stays short: the walkthrough goes first, then the impact, and never the findings', () => {
  const long = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => `${name}${index}/`.repeat(30));
  const [area] = evilReport.walkthrough.areas;
  const [entry] = evilReport.impact;
  const big: Report = {
    ...evilReport,
    walkthrough: {
      areas: long(50, 'area').map((path) => ({ ...area!, path })),
      total_areas: 90,
      reading_order: long(100, 'read'),
      moved_only: [],
    },
    impact: long(100, 'symbol').map((symbol) => ({ ...entry!, symbol, path: symbol })),
    total_impact: 100,
    together: long(5, 'together').map((path) => ({ path, usually_with: path, times: 5, of: 5 })),
    reviewers: long(5, 'person').map((username) => ({ ...evilReport.reviewers[0]!, username })),
  };
  const findings = Array.from({ length: 400 }, (_, index) =>
    sampleFinding({
      identity: `f${index}`,
      title: `Finding ${index}`,
      body: 'because '.repeat(275),
    }),
  );
  const write = (report: Report | null, unplaced: typeof findings) =>
    summaryText({
      context,
      verdict: 'No findings',
      result: {
        coverage: long(300, 'f').map((path) => ({ path, state: 'partial', reason: 'budget' })),
        notes: long(60, 'n'),
        usage: null,
        report,
      },
      baseSha: 'a',
      headSha: 'b',
      open: unplaced,
      unplaced,
      overflow: unplaced,
      resolved: unplaced,
      isPaused: true,
    });
  const all = write(big, findings);
  assert.ok(all.length < 20_000, String(all.length));
  assert.match(all, /Not on lines of the diff/);
  assert.match(all, /More findings/);
  assert.doesNotMatch(all, /Impact|Walkthrough/);
  const some = write(big, findings.slice(0, 2));
  assert.ok(some.length < 20_000, String(some.length));
  assert.match(some, /#### Not on lines of the diff[\s\S]*#### Impact/);
  assert.doesNotMatch(some, /Walkthrough/);
  const few = write({ ...evilReport, together: [] }, []);
  assert.match(
    few,
    /Risk: \*\*low\*\*\.[\s\S]*#### Impact[\s\S]*<summary>Walkthrough: 1 file in 1 folder<[\s\S]*#### Not reviewed/,
  );
  assert.doesNotMatch(write(null, []), /Risk|Impact|Walkthrough/);
});

test('a list of packages that is too long says once how many there are more', () => {
  const dependencies = Array.from({ length: 20 }, (_, index) => ({
    name: `${'package'.repeat(25)}-${index}`,
    ecosystem: 'npm',
    from: '1.0.0',
    to: '2.0.0',
    kind: 'upgraded' as const,
    direct: true,
    manifest: `${'folder'.repeat(25)}/package.json`,
    licence: null,
    vulnerabilities: [],
  }));
  const [text] = dependenciesText({ ...evilReport, dependencies, total_dependencies: 30 });
  const listed = text!.split('\n').filter((line) => line.startsWith('- `'));
  assert.ok(listed.length > 2 && listed.length < 20, String(listed.length));
  assert.deepEqual(text!.match(/- and .*/g), [`- and ${30 - listed.length} more`]);
});

test('what was there before is folded, apart from the findings, and says how much more there is', () => {
  const preexisting = Array.from({ length: 12 }, (_, index) => ({
    path: 'src/a.ts',
    start_line: index + 1,
    rule: 'oxlint/no-eval',
    severity: 'minor' as const,
    title: '`eval` executes a string as code',
  }));
  const [said] = standingText({ ...evilReport, preexisting, total_preexisting: 70 }, 'https://h.test/o/r');
  const [summary, , first, ...rest] = said!.split('\n');
  assert.equal(
    summary,
    '<details><summary>Already there, on lines that did not change: 70 findings</summary>',
  );
  assert.match(first!, /^- `src\/a\.ts:1`: minor: .*\(`oxlint\/no-eval`\)$/);
  assert.deepEqual([rest.length, rest.at(-3)], [12, '- and 60 more']);
  assert.deepEqual(standingText({ ...evilReport, preexisting: [], total_preexisting: 0 }, ''), []);
});

test('the summary says that reviews are paused, and no longer once they are not', () => {
  const summary = '<!-- postil:summary run=r -->\n\n### Postil review\n\nNo findings.';
  const paused = withPauseNotice(summary, true);
  assert.match(paused, /### Postil review\n\n> Automatic reviews .* are paused\..*\n\nNo findings\.$/);
  assert.equal(withPauseNotice(paused, true), paused);
  assert.equal(withPauseNotice(paused, false), summary);
});

test('a path is shown as code and cannot end it', () => {
  assert.equal(asCode('src/a.ts'), '`src/a.ts`');
  assert.equal(asCode('a`b``c'), "`a'b''c`");
  assert.equal(asCode('packages/@acme/x.ts'), '`packages/@\u200bacme/x.ts`');
  assert.equal(asCode('a\nb\u202e'), '`a\ufffdb\ufffd`');
  assert.equal(asCode(''), '` `');
  assert.ok(asCode('long/'.repeat(500)).length < 310);
});

test('a marker is read where it was written, and nowhere else', () => {
  const marker = { kind: 'finding', findingId: 'f1', runId: 'r1' } as const;
  assert.deepEqual(readMarker(`${writeMarker(marker)}\n\ntext`), marker);
  assert.equal(readMarker(`> ${writeMarker(marker)}`), null);
  assert.equal(readMarker(`\n${writeMarker(marker)}`), null);
  assert.equal(readMarker('<!-- postil:finding run=r1 -->'), null);
});

test('a marker counts in a comment of the own account only, because anybody can copy one', () => {
  const threadBy = (isOwn: boolean): HostThread => ({
    id: 't',
    path: 'a.ts',
    side: 'new',
    line: 1,
    isResolved: false,
    resolvedBy: null,
    comments: [
      {
        id: 'c',
        url: 'https://git.test/c',
        author: null,
        body: `${writeMarker({ kind: 'finding', findingId: 'f1', runId: 'r1' })}\n\ntext`,
        createdAt: new Date(),
        isOwn,
        reactions: null,
      },
    ],
  });
  assert.deepEqual([...findOwnThreads([threadBy(true)], []).keys()], ['f1']);
  assert.deepEqual([...findOwnThreads([threadBy(false)], []).keys()], []);
});

const diff = `diff --git a/a.ts b/a.ts
--- a/a.ts
+++ b/a.ts
@@ -3,4 +3,5 @@
 const c = 3;
-const d = 4;
+const d = (4);
+const dd = 5;
 const e = 5;
 const f = 6;
@@ -20,2 +21,1 @@
 const t = 20;
-const u = 21;
`;

test('a comment is placed only where both ends are in one hunk, with the numbers of both versions', () => {
  const [file] = changeOfDiff(diff).files;
  const at = (side: 'new' | 'old', startLine: number | null, endLine = startLine) =>
    placeInDiff({ path: 'a.ts', side, startLine, endLine }, file!);
  assert.deepEqual(at('new', 4, 6), {
    first: { kind: 'added', oldLine: 5, newLine: 4 },
    last: { kind: 'context', oldLine: 5, newLine: 6 },
  });
  assert.deepEqual(at('old', 4)?.first, { kind: 'removed', oldLine: 4, newLine: 4 });
  assert.deepEqual(at('old', 21)?.last, { kind: 'removed', oldLine: 21, newLine: 22 });
  for (const outside of [
    at('new', 2),
    at('new', 7, 21),
    at('new', 8),
    at('old', 7),
    at('new', 22),
    at('new', null),
    at('new', 5, 4),
  ])
    assert.equal(outside, null);
  const [added] = changeOfDiff(
    'diff --git a/n.ts b/n.ts\nnew file mode 100644\n--- /dev/null\n+++ b/n.ts\n@@ -0,0 +1,2 @@\n+a\n+b\n',
  ).files;
  assert.deepEqual(placeInDiff({ path: 'n.ts', side: 'new', startLine: 2, endLine: 2 }, added!)?.last, {
    kind: 'added',
    oldLine: 0,
    newLine: 2,
  });
});

test('a suggestion is offered only if it applies as it is and the file still parses', async () => {
  const text = 'export function f() {\n  return 1;\n}\n';
  const file = { path: 'f.ts', newText: async () => text };
  const finding = sampleFinding({ startLine: 2, quote: '  return 1;', suggestion: '  return 2;' });
  const offered = (more: Partial<typeof finding>, of = file) => offerSuggestion({ ...finding, ...more }, of);
  assert.equal(await offered({}), '  return 2;');
  const refused: Partial<typeof finding>[] = [
    { suggestion: null },
    { suggestion: '  return 1;' },
    { suggestion: '  return (;' },
    { suggestion: `  return '${secret}';` },
    { suggestion: '  return fetch("https://evil.test");' },
    { quote: '  return 7;' },
    { side: 'old' },
    { startLine: null, endLine: null },
  ];
  for (const more of refused) assert.equal(await offered(more), null, JSON.stringify(more));
  const gone = { path: 'f.ts', newText: async () => undefined };
  assert.equal(await offerSuggestion(finding, gone), null);
});
