import { severities } from '../finding-vocabulary.ts';
import type { RuleFinding } from '../rules/rule-source.ts';
import { limits, type Preexisting } from './report.ts';

/** The worst of what rules say about lines that the change leaves as they were, and how much that is in all. */
export interface Standing {
  readonly entries: readonly Preexisting[];
  readonly total: number;
}

export const noneStanding: Standing = { entries: [], total: 0 };

/** Findings in a file as the report has them: without their texts, which are for those who caused them. */
export function entriesOf(
  path: string,
  findings: readonly Pick<RuleFinding, 'startLine' | 'rule' | 'severity' | 'title'>[],
): Preexisting[] {
  return findings.map(({ startLine, rule, severity, title }) => ({
    path,
    start_line: startLine,
    rule,
    severity,
    title,
  }));
}

/** The worst of all. */
export function joinStanding(parts: readonly Standing[]): Standing {
  const some = parts.filter(({ total }) => total > 0);
  if (some.length === 0) return noneStanding;
  if (some.length === 1 && some[0]!.entries.length <= limits.preexisting) return some[0]!;
  const rank = ({ severity }: Preexisting) => severities.indexOf(severity);
  return {
    entries: some
      .flatMap(({ entries }) => entries)
      .sort((a, b) => rank(a) - rank(b))
      .slice(0, limits.preexisting),
    total: some.reduce((sum, { total }) => sum + total, 0),
  };
}
