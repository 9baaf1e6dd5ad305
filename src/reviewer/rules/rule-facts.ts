import type { FindingGrounds, FindingText } from '../finding.ts';
import type { Category, Severity } from '../finding-vocabulary.ts';
import type { RuleFinding } from '../rule-source.ts';

export const correctness = 'functional_correctness';
export const security = 'security_and_privacy';
export const stability = 'stability_and_availability';
export const maintainability = 'maintainability_and_code_quality';
export const performance = 'performance_and_scalability';

/**
 * The facts that Postil reports for a rule: severity by the harm of the fault (severity-table.ts), category, title, why it
 * matters, and the weakness (CWE) if it is about one.
 */
export type RuleFacts = readonly [
  severity: Severity,
  category: Category,
  title: string,
  why: string,
  cwe?: `CWE-${number}` | undefined,
];

/** Only rules in a table are ever reported; each was tested on the histories of public projects (bench/RESULTS.md). */
export type RuleTable = Readonly<Record<string, RuleFacts>>;

/** Keeps only the first syntax error; the others are usually caused by it. */
export function firstSyntaxFault(findings: readonly RuleFinding[], rule: string): RuleFinding[] {
  const first = findings
    .filter((finding) => finding.rule === rule)
    .sort((a, b) => a.startLine - b.startLine)[0];
  return findings.filter((finding) => finding.rule !== rule || finding === first);
}

/** The text of a finding: the tool's message about this place, and why the rule matters. */
export function describeFinding(
  [severity, category, title, why, cwe]: RuleFacts,
  message: string,
): FindingText & FindingGrounds {
  const said = message.trim().replace(/[.:]*$/, '.');
  const body = [said === '.' ? '' : said, why].filter((part) => part !== '').join(' ');
  const grounds = { related: [], confidence: 'proven', cwe: cwe ?? null } as const;
  return { severity, category, title, body, suggestion: null, ...grounds };
}

/** Merges the findings about unused names in one line to one finding that lists all names. */
export function unusedTogether(findings: readonly RuleFinding[], rule: string, why: string): RuleFinding[] {
  const isUnused = (finding: RuleFinding) => finding.rule === rule;
  const nameIn = ({ body }: RuleFinding) => /`[^`]+`/.exec(body)?.[0] ?? '';
  const byLine = Map.groupBy(findings.filter(isUnused), ({ startLine }) => startLine);
  return findings.flatMap((finding) => {
    const [first, ...others] = isUnused(finding) ? byLine.get(finding.startLine)! : [finding];
    if (finding !== first) return [];
    if (others.length === 0) return [finding];
    const names = [first, ...others].map(nameIn).sort().join(', ');
    return [{ ...finding, body: `Never used: ${names}. ${why}`, suggestion: null }];
  });
}
