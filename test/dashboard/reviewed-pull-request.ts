import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { startTestApp } from '../harness.ts';
import { mirrorPullRequest } from '../mirrored-review.ts';
import { removeFolder } from '../remove-folder.ts';
import { member, organization } from '../sample-platform.ts';

const cart = (rate: string, more = '') => `import { load } from './load.ts';

/** What a customer pays. */
export interface Line {
  readonly price: number;
  readonly count: number;
}

${Array.from({ length: 30 }, (_, index) => `export const step${index} = ${index};`).join('\n')}

export async function total(lines: readonly Line[]): Promise<number> {
  // Discounts come last.
  let sum = 0;
  for (const line of lines) sum += line.price * line.count;
  ${rate}
}
${more}`;

const before = {
  'src/cart.ts': cart('return sum;'),
  'src/load.ts': 'export function load(name: string): string {\n  return name;\n}\n',
  'src/use.ts': Array.from({ length: 40 }, (_, index) => `export const use${index} = ${index};`).join('\n'),
  'docs/cart.md': '# The cart\n\nAdds up.\n',
};

/** A report with every part. */
export const fullReport = {
  walkthrough: {
    areas: [
      {
        path: 'src',
        files: 2,
        added: 9,
        removed: 3,
        symbols: { added: ['discount'], changed: ['total'], removed: [] },
      },
    ],
    total_areas: 1,
    reading_order: ['src/load.ts', 'src/cart.ts', 'docs/cart.md'],
    moved_only: [],
  },
  impact: [
    {
      symbol: 'load',
      renamed_to: null,
      path: 'src/load.ts',
      line: 1,
      change: 'signature',
      references: [
        { path: 'src/use.ts', line: 12, state: 'broken' },
        { path: 'src/cart.ts', line: 44, state: 'updated' },
        { path: 'src/shop/window.ts', line: 7, state: 'fits' },
      ],
      total_references: 9,
    },
    {
      symbol: 'total',
      renamed_to: 'totalOf',
      path: 'src/cart.ts',
      line: 41,
      change: 'renamed',
      references: [{ path: 'src/use.ts', line: 20, state: 'unknown' }],
      total_references: 1,
    },
  ],
  total_impact: 2,
  together: [{ path: 'src/cart.ts', usually_with: 'docs/prices.md', times: 9, of: 10 }],
  total_together: 1,
  dependencies: [
    {
      ecosystem: 'npm',
      name: 'left-pad',
      from: null,
      to: '1.3.0',
      kind: 'added',
      direct: true,
      manifest: 'package.json',
      licence: 'MIT',
      vulnerabilities: [],
    },
    {
      ecosystem: 'npm',
      name: 'lodash',
      from: '4.17.21',
      to: '4.17.20',
      kind: 'downgraded',
      direct: true,
      manifest: 'package.json',
      licence: 'MIT',
      vulnerabilities: ['CVE-2021-23337'],
    },
  ],
  total_dependencies: 2,
  contracts: [{ path: 'openapi.yaml', kind: 'openapi', breaking: 2, compatible: 5 }],
  checks: [
    { name: 'title', verdict: 'passed', mode: 'error', text: 'The title says what kind of change it is.' },
    {
      name: 'api-docs',
      verdict: 'failed',
      mode: 'error',
      text: 'src/routes.ts changed, but openapi.json did not.',
    },
    {
      name: 'coverage',
      verdict: 'inconclusive',
      mode: 'warning',
      text: 'No coverage report of this commit has come.',
    },
  ],
  preexisting: [
    {
      path: 'src/cart.ts',
      start_line: 3,
      rule: 'oxlint/no-eval',
      severity: 'minor',
      title: '`eval` executes text',
    },
  ],
  total_preexisting: 1,
  quiet: [],
  reviewers: [{ username: 'bob', reason: 'wrote 60 % of the changed lines', share: 0.6 }],
  guidelines: [],
  risk: {
    level: 'medium',
    reasons: ['no test changed', 'changes a file with 4 fixes in its last 20 commits'],
  },
};

/**
 * Starts an app with an organization with an admin 9001 and a member 9004 who may not see code, and returns functions that add
 * reviewed pull requests.
 */
export async function startReviewedOrganization() {
  const mirrorsFolder = await mkdtemp(path.join(tmpdir(), 'postil-mirrors-'));
  after(() => removeFolder(mirrorsFolder));
  const app = await startTestApp({ mirrorsFolder });
  app.now = new Date();
  const members = [
    member('9001', { role: 'cr_admin', seat: true }),
    member('9004', { role: 'cr_billing_admin' }),
  ];
  await app.platform({
    organizations: [
      organization({ members }),
      organization({ members: [member('9009', { role: 'cr_admin' })] }),
    ],
  });
  const [row] = await app.database.sql`SELECT id FROM organizations`;
  const organizationId = row!.id as string;
  return {
    app,
    organizationId,
    /** Adds reviews so that every part of the page has data. */
    async reviewFully(number: number) {
      const pull = await mirrorPullRequest({ app, mirrorsFolder }, organizationId, {
        before,
        change: (git) =>
          git.write({
            'src/cart.ts': cart(
              "const rate = JSON.parse('0.9') as number;\n  if (sum === NaN) return 0;\n  return sum * rate;",
              '\nexport const discount = 0.1;\n',
            ),
            'src/load.ts':
              'export function load(name: string, place: string): string {\n  return name + place;\n}\n',
            'docs/cart.md': '# The cart\n\nAdds up, and takes discounts off.\n',
            'package-lock.json': '{}\n',
          }),
      });
      const at = (minute: number) => new Date(app.now.getTime() - (60 - minute) * 60_000);
      const nan = {
        finding_id: 'nan',
        path: 'src/cart.ts',
        start_line: 45,
        end_line: 45,
        title: 'Nothing equals `NaN`',
        body: 'A comparison with `NaN` is always false.',
        suggestion: '  if (Number.isNaN(sum)) return 0;',
        rules: ['oxlint/use-isnan'],
        source_name: 'oxlint/use-isnan',
      };
      const old = {
        finding_id: 'old',
        title: 'Was there in the first version',
        severity: 'minor',
        start_line: 41,
        end_line: 41,
        path: 'src/cart.ts',
      };
      const call = {
        finding_id: 'call',
        path: 'src/load.ts',
        start_line: 1,
        end_line: 1,
        severity: 'critical',
        title: 'A call no longer fits',
        body: '`load` has a second parameter now.',
        suggestion: null,
        related: [
          { path: 'src/use.ts', startLine: 12, endLine: 12, text: 'calls load with one argument' },
          { path: 'src/cart.ts', startLine: 46, endLine: 46, text: 'is fine' },
        ],
      };
      await pull.review({ number, findings: [old, nan], report: fullReport, at: at(1) });
      const run = await pull.review({ number, findings: [call, nan], report: fullReport, at: at(2) });
      return { ...pull, run };
    },
    /** Adds one review of a large change. */
    async reviewLarge(
      number: number,
      contents: Record<string, string>,
      findings: Record<string, unknown>[] = [],
    ) {
      const pull = await mirrorPullRequest({ app, mirrorsFolder }, organizationId, {
        before: {},
        change: (git) => git.write(contents),
      });
      return { ...pull, run: await pull.review({ number, findings }) };
    },
  };
}
