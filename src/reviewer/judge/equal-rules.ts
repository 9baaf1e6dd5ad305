/** Rules that say the same of the same lines, one row for each thing that they say. Those that name a weakness are equal by it. */
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

/** The sources in the order in which their rules give a finding its name. What is not named comes after them. */
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

/** Linters that have the rules of another, under the same names, by the linter whose they are. */
const families: Readonly<Record<string, string>> = {
  oxlint: 'eslint',
  eslint: 'eslint',
  shell: 'shellcheck',
  shellcheck: 'shellcheck',
  ruff: 'ruff',
  flake8: 'ruff',
};

/** What a rule says, whoever has it: its row in the table of equal rules, or its name in the linter whose rule it is. */
function meaningOf(rule: string): string {
  // Credentials of all forms are one thing.
  const row = rowOf.get(rule.startsWith('secrets/') ? 'secrets/assignment' : rule);
  if (row !== undefined) return String(row);
  const slash = rule.indexOf('/');
  const family = families[rule.slice(0, slash).toLowerCase()];
  return family === undefined ? rule : `${family}${rule.slice(slash)}`;
}

/** Whether one of these rules says the same as one of the others. */
export function areEqual(rules: readonly string[], others: readonly string[]): boolean {
  const meanings = new Set(others.map(meaningOf));
  return rules.some((rule) => meanings.has(meaningOf(rule)));
}

/** Whether a rule comes with Postil; the others are those of analyzers that report to it. */
export function isOwnRule(rule: string): boolean {
  return rankOf(rule) < sources.length;
}

/** Where a rule stands among those that found the same: the first gives the finding its identity. */
export function rankOf(rule: string | undefined): number {
  const index = sources.indexOf(rule?.slice(0, rule.indexOf('/')) ?? '');
  if (index !== -1) return index;
  // A model comes last, after the tools of others.
  return rule === undefined ? sources.length + 1 : sources.length;
}
