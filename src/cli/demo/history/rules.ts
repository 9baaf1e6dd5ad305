import { oxlintTable } from '../../../reviewer/rules/oxlint/oxlint-table.ts';
import { goRules } from '../../../reviewer/rules/patterns/go-rules.ts';
import { ruffTable } from '../../../reviewer/rules/ruff/ruff-table.ts';
import { terraformTable } from '../../../reviewer/rules/terraform/terraform-table.ts';

/** A rule that raises findings at the company, with its real title and text. */
export interface RaisingRule {
  readonly name: string;
  readonly severity: string;
  readonly category: string;
  readonly title: string;
  readonly body: string;
  /** Its relative frequency of findings. */
  readonly weight: number;
  /** The share of its findings that are accepted. */
  readonly heeded: number;
}

type Facts = readonly [severity: string, category: string, title: string, body: string, ...rest: unknown[]];

const from = (name: string, facts: Facts | undefined, weight: number, heeded: number): RaisingRule => {
  if (facts === undefined) throw new Error(`There is no rule ${name}`);
  const [severity, category, title, body] = facts;
  return { name, severity, category, title, body, weight, heeded };
};
const oxlint = (plugin: string, rule: string, weight: number, heeded: number) =>
  from(`oxlint/${rule}`, oxlintTable[`${plugin}/${rule}`], weight, heeded);
const ruff = (rule: string, weight: number, heeded: number) =>
  from(`ruff/${rule}`, ruffTable[rule], weight, heeded);
const pattern = (id: string, weight: number, heeded: number) => {
  const rule = goRules.find((one) => one.id === id);
  const facts =
    rule && ([rule.severity, rule.category ?? 'security_and_privacy', rule.title, rule.why] as const);
  return from(`patterns/${id}`, facts, weight, heeded);
};
const terraform = (rule: keyof typeof terraformTable, weight: number, heeded: number) =>
  from(`terraform/${rule}`, terraformTable[rule], weight, heeded);

/** The rules for each language. Findings about unused names are ignored, so that their rule becomes quiet. */
export const raisingRules: Readonly<Record<'ts' | 'py' | 'go' | 'tf', readonly RaisingRule[]>> = {
  ts: [
    oxlint('eslint', 'no-unused-vars', 9, 0.06),
    oxlint('unicorn', 'no-await-in-promise-methods', 3, 0.7),
    oxlint('eslint', 'use-isnan', 2, 0.95),
    oxlint('eslint', 'no-unsafe-optional-chaining', 4, 0.8),
    oxlint('eslint', 'no-unsafe-finally', 1, 0.95),
    oxlint('oxc', 'missing-throw', 2, 0.95),
    oxlint('react', 'jsx-key', 5, 0.62),
    oxlint('eslint', 'no-self-compare', 1, 0.8),
    oxlint('typescript', 'no-non-null-asserted-optional-chain', 3, 0.5),
  ],
  py: [
    ruff('F401', 4, 0.35),
    ruff('B006', 4, 0.85),
    ruff('S110', 3, 0.55),
    ruff('F601', 2, 0.95),
    ruff('S324', 3, 0.01),
    ruff('PLW0133', 1, 0.95),
    ruff('S501', 2, 0.8),
    ruff('F821', 2, 0.97),
  ],
  go: [
    pattern('lost-cancel', 4, 0.85),
    pattern('used-before-error-check', 4, 0.9),
    pattern('answer-goes-on', 3, 0.92),
    pattern('unused-result', 2, 0.8),
    pattern('certificate-not-checked', 1, 0.6),
  ],
  tf: [
    terraform('open-ingress', 3, 0.8),
    terraform('unencrypted', 3, 0.5),
    terraform('public-bucket', 1, 0.95),
  ],
};
