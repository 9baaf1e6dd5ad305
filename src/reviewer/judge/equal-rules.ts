/** Rules that say the same of the same lines, one row for each thing that they say. Those that name a weakness are equal by it. */
const rows: readonly (readonly string[])[] = [
  ['oxlint/no-constant-binary-expression', 'oxlint/bad-object-literal-comparison'],
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

/** Which row of the table of equal rules one of these is in; undefined if none is. */
export function equalityOf(rules: readonly string[]): number | undefined {
  return rules.map((rule) => rowOf.get(rule)).find((row) => row !== undefined);
}

/** Where a rule stands among those that found the same: the first gives the finding its identity. */
export function rankOf(rule: string | undefined): number {
  const index = sources.indexOf(rule?.slice(0, rule.indexOf('/')) ?? '');
  if (index !== -1) return index;
  // A model comes last, after the tools of others.
  return rule === undefined ? sources.length + 1 : sources.length;
}
