import type { RuleExamples } from '../rule-examples.ts';
import { type RuleTable, security } from '../rule-facts.ts';

/** The findings about GitHub workflows, in addition to those of actionlint. */
export const workflowTable = {
  'pull-request-target-checkout': [
    'critical',
    security,
    'Untrusted code runs with the permissions of the repository',
    '`pull_request_target` has access to the secrets and a token that can write, and this checks out the code of the pull request. Use `pull_request`, or do not run anything from the checkout.',
    'CWE-829',
  ],
  'write-all': [
    'minor',
    security,
    'The token has all write permissions',
    'Any step, and any action it uses, can change the repository and its packages. Grant only the permissions that are needed.',
    'CWE-250',
  ],
} as const satisfies RuleTable;

export type WorkflowRule = keyof typeof workflowTable;

const job = (steps: string) => `jobs:\n  build:\n    runs-on: ubuntu-24.04\n    steps:\n${steps}`;
const head = `$${'{{ github.event.pull_request.head.sha }}'}`;
const checkout = `      - uses: actions/checkout@v5\n        with:\n          ref: ${head}\n      - run: npm ci\n`;

export const workflowExamples: RuleExamples<typeof workflowTable> = {
  'pull-request-target-checkout': {
    path: '.github/workflows/build.yml',
    fails: `on: pull_request_target\n${job(checkout)}`,
    passes: `on: pull_request\n${job(checkout)}`,
  },
  'write-all': {
    path: '.github/workflows/release.yml',
    fails: `on: push\npermissions: write-all\n${job('      - run: npm publish\n')}`,
    passes: `on: push\npermissions:\n  contents: read\n  packages: write\n${job('      - run: npm publish\n')}`,
  },
};
