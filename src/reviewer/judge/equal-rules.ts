/** Rules that report the same fault on the same lines, one row per fault. Rules with the same CWE need no row. */
const rows: readonly (readonly string[])[] = [
  ['oxlint/no-constant-binary-expression', 'oxlint/bad-object-literal-comparison'],
  ['docker/secret-in-env', 'secrets/assignment'],
  ['ruff/B005', 'ruff/PLE1310'],
  ['ruff/F509', 'ruff/PLE1300'],
  ['shell/SC1009', 'shell/SC1072', 'shell/SC1073'],
  ['shell/SC1068', 'shell/SC2283'],
  ['shell/SC2077', 'shell/SC2078', 'shell/SC2157'],
];

const rowOf = new Map(rows.flatMap((rules, row) => rules.map((rule) => [rule, row] as const)));

/** The sources, in the order of precedence for the identity of a merged finding. All others come after them. */
const sources = [
  'secrets',
  'text',
  'oxlint',
  'ruff',
  'actionlint',
  'patterns',
  'shell',
  'ast_grep',
  'references',
  'dependencies',
  'contracts',
  'migrations',
  'docker',
  'terraform',
  'kubernetes',
  'workflows',
  'dataflow',
];

/** Linters, and the linter whose rules they contain under the same names. */
const families: Readonly<Record<string, string>> = {
  oxlint: 'eslint',
  eslint: 'eslint',
  shell: 'shellcheck',
  shellcheck: 'shellcheck',
  ruff: 'ruff',
  flake8: 'ruff',
};

/** A key that is equal for equal rules: the row in the table above, or the name in the linter that it originates from. */
function meaningOf(rule: string): string {
  // Rules for all kinds of credentials are equal.
  const row = rowOf.get(rule.startsWith('secrets/') ? 'secrets/assignment' : rule);
  if (row !== undefined) return String(row);
  const slash = rule.indexOf('/');
  const family = families[rule.slice(0, slash).toLowerCase()];
  return family === undefined ? rule : `${family}${rule.slice(slash)}`;
}

/** Whether one of these rules is equal to one of the others. */
export function areEqual(rules: readonly string[], others: readonly string[]): boolean {
  const meanings = new Set(others.map(meaningOf));
  return rules.some((rule) => meanings.has(meaningOf(rule)));
}

/** Whether Postil itself runs the rule; other rules are in the logs of analyzers. */
export function isOwnRule(rule: string): boolean {
  return rankOf(rule) < sources.length;
}

/** The rank of a rule, undefined for a model: of equal findings, the one with the lowest rank provides the identity. */
export function rankOf(rule: string | undefined): number {
  const index = sources.indexOf(rule?.slice(0, rule.indexOf('/')) ?? '');
  if (index !== -1) return index;
  // A model comes last, after third-party analyzers.
  return rule === undefined ? sources.length + 1 : sources.length;
}
