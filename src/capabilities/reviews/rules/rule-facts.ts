import type { Category, Severity } from '../../review-metrics/record/finding-vocabulary.ts';
import type { FindingText } from '../finding.ts';
import type { RuleFinding } from './rule-source.ts';

export const correctness = 'functional_correctness';
export const security = 'security_and_privacy';
export const stability = 'stability_and_availability';
export const upkeep = 'maintainability_and_code_quality';
export const speed = 'performance_and_scalability';

/** What Postil says of a rule: how bad, what kind, what is wrong, and why that matters. */
export type RuleFacts = readonly [severity: Severity, category: Category, title: string, why: string];

/** Only rules in a table are ever reported; each was tried on the histories of public projects (bench/RESULTS.md). */
export type RuleTable = Readonly<Record<string, RuleFacts>>;

/** Of what cannot be parsed only the first place is worth a word: the rest follows from it. */
export function firstSyntaxFault(findings: readonly RuleFinding[], rule: string): RuleFinding[] {
  const first = findings
    .filter((finding) => finding.rule === rule)
    .sort((a, b) => a.startLine - b.startLine)[0];
  return findings.filter((finding) => finding.rule !== rule || finding === first);
}

/** The text of a finding: what the tool says about this place, and why the rule matters. */
export function describeFinding([severity, category, title, why]: RuleFacts, message: string): FindingText {
  const said = message.trim().replace(/[.:]*$/, '.');
  const body = [said === '.' ? '' : said, why].filter((part) => part !== '').join(' ');
  return { severity, category, title, body, suggestion: null };
}
