import { createTwoFilesPatch } from 'diff';
import type { PublishRequest } from '../../../src/capabilities/reviews/publishing/publish-run.ts';
import type { Finding } from '../../../src/reviewer/finding.ts';

export const lines = (count: number, text: (line: number) => string) =>
  Array.from({ length: count }, (_, index) => `${text(index + 1)}\n`).join('');

export const before = lines(40, (line) => `const v${line} = ${line};`);
/** Three lines are added before line 10, line 20 is changed and line 30 is removed. */
export const after = before
  .replace('const v10 = 10;\n', 'const a = 1;\nconst b = 2;\nconst c = 3;\nconst v10 = 10;\n')
  .replace('const v20 = 20;', 'const v20 = 21;')
  .replace('const v30 = 30;\n', '');
const added = lines(220, (line) => `export const n${line} = ${line};`);

export const patch = (path: string, from: string, to: string) =>
  `diff --git a/${path} b/${path}\n${from === '' ? 'new file mode 100644\n' : ''}${createTwoFilesPatch(
    from === '' ? '/dev/null' : `a/${path}`,
    `b/${path}`,
    from,
    to,
    '',
    '',
    { context: 3 },
  ).replace(/^=+\n/, '')}`;

export const sampleDiff = patch('src/a.ts', before, after) + patch('src/new.ts', '', added);
export const sampleFiles = [
  { path: 'src/a.ts', content: after },
  { path: 'src/new.ts', content: added },
];

/** The request to publish a run without findings, on a pull request that was not reviewed before. */
export const nothingFound = {
  findings: [],
  overflow: [],
  gone: [],
  failOn: 'critical',
  posted: [],
  summaryId: null,
} as const satisfies Partial<PublishRequest>;

let lastFinding = 0;

export function sampleFinding(more: Partial<Finding> = {}): Finding {
  lastFinding += 1;
  const identity = lastFinding.toString(16).padStart(32, '0');
  const startLine = more.startLine === undefined ? 10 : more.startLine;
  const endLine = more.endLine === undefined ? startLine : more.endLine;
  const path = more.path ?? 'src/a.ts';
  const text = path === 'src/a.ts' ? after : added;
  return {
    identity,
    path,
    side: 'new',
    severity: 'major',
    category: 'functional_correctness',
    title: `Finding ${lastFinding}`,
    body: 'It is wrong.',
    suggestion: null,
    related: [],
    confidence: 'proven',
    cwe: null,
    source: { kind: 'rule', name: 'oxlint/no-debugger' },
    rules: ['oxlint/no-debugger'],
    symbol: null,
    isInDiff: true,
    learningIds: [],
    quote: text
      .split('\n')
      .slice((startLine ?? 1) - 1, endLine ?? 0)
      .join('\n'),
    ...more,
    startLine,
    endLine,
  };
}
