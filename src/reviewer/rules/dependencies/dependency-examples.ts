import type { RuleExample } from '../rule-examples.ts';
import type { DependencyRule } from './dependency-rules.ts';

const lock = (packages: string) =>
  `{\n  "lockfileVersion": 3,\n  "packages": {\n    "": { "dependencies": { "left-pad": "^1.0.0" } },\n${packages}\n  }\n}\n`;
const entry = (name: string, fields: string) => `    "node_modules/${name}": { ${fields} }`;
const padded = (version: string, host = 'registry.npmjs.org') =>
  entry(
    'left-pad',
    `"version": "${version}", "resolved": "https://${host}/left-pad/-/left-pad-${version}.tgz", "integrity": "sha512-a"`,
  );
const asking = (...names: string[]) =>
  `{\n  "dependencies": {\n${names.map((name) => `    ${name}`).join(',\n')}\n  }\n}\n`;
const steps = (action: string) =>
  `on: push\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n${action}`;

/** Facts that examples rely on: named on the pages of the rules, and used by the tests. */
export const exampleGrounds = {
  deny: 'AGPL-3.0',
  fixed: '1.3.1',
  lock: lock(padded('1.3.0')),
} as const;

const lockPath = 'package-lock.json';
const before = lock(padded('1.3.0'));
const added = (fields: string) => lock(`${padded('1.3.0')},\n${entry('right-pad', fields)}`);

/** An example of every rule about dependencies: a file before a change, and two versions of it after one. */
export const dependencyExamples: Readonly<
  Record<DependencyRule, RuleExample & { readonly before: string; readonly given?: string }>
> = {
  vulnerable: {
    path: lockPath,
    given: `where an advisory says that left-pad before ${exampleGrounds.fixed} is affected`,
    before: lock(padded('1.2.0')),
    fails: lock(padded('1.3.0')),
    passes: lock(padded('1.3.1')),
  },
  'out-of-step': {
    path: 'package.json',
    given: 'beside a `package-lock.json` that was made for `left-pad` ^1.0.0 and stays as it is',
    before: asking('"left-pad": "^1.0.0"'),
    fails: asking('"left-pad": "^1.0.0"', '"right-pad": "^1.0.0"'),
    passes: `${asking('"left-pad": "^1.0.0"').trimEnd()}\n\n`,
  },
  'source-changed': {
    path: lockPath,
    before,
    fails: lock(padded('1.3.0', 'packages.example.com')),
    passes: lock(padded('1.3.0', 'registry.yarnpkg.com')),
  },
  'install-script': {
    path: lockPath,
    before,
    fails: added('"version": "1.0.0", "hasInstallScript": true'),
    passes: added('"version": "1.0.0"'),
  },
  'look-alike': {
    path: 'package.json',
    before: asking('"left-pad": "^1.0.0"'),
    fails: asking('"left-pad": "^1.0.0"', '"left_pad": "^1.0.0"'),
    passes: asking('"left-pad": "^1.0.0"', '"right-pad": "^1.0.0"'),
  },
  licence: {
    path: lockPath,
    given: `with \`reviews.dependencies.licences.deny: [${exampleGrounds.deny}]\``,
    before,
    fails: added('"version": "1.0.0", "license": "AGPL-3.0"'),
    passes: added('"version": "1.0.0", "license": "AGPL-3.0 OR MIT"'),
  },
  'unpinned-action': {
    path: '.github/workflows/build.yml',
    before: steps(''),
    fails: steps('      - uses: others/setup@v2\n'),
    passes: steps('      - uses: others/setup@0123456789abcdef0123456789abcdef01234567 # v2\n'),
  },
};
