import { severities } from '../finding-vocabulary.ts';
import { areEqual, rankOf } from '../judge/equal-rules.ts';
import { type Fault, isSameFault } from '../judge/merge-findings.ts';
import { limits, type Preexisting } from '../review-report.ts';
import type { RuleFinding } from '../rule-source.ts';

/** Existing problems, which rules found on lines that the change leaves unchanged: the worst of them, and the total. */
export interface Standing {
  readonly entries: readonly Preexisting[];
  readonly total: number;
}

export const noneStanding: Standing = { entries: [], total: 0 };

/** Merges the findings of several sources on unchanged lines of one file; the same fault counts once. */
export function standingIn(
  path: string,
  sources: readonly { readonly standing: readonly RuleFinding[]; readonly standingCount: number }[],
): Standing {
  const groups: RuleFinding[][] = [];
  const faultOf = (found: RuleFinding): Fault => ({ ...found, rules: [found.rule] });
  const found = sources.flatMap(({ standing }) => standing);
  for (const each of found.toSorted((a, b) => rankOf(a.rule) - rankOf(b.rule))) {
    const group = groups.find((members) => isSameFault(members.map(faultOf), faultOf(each)));
    if (group === undefined) groups.push([each]);
    else group.push(each);
  }
  const merged = groups.map(([first, ...others]) => {
    const worst = [first!, ...others].reduce((one, other) => (isWorse(other, one) ? other : one));
    return { ...first!, severity: worst.severity, title: worst.title };
  });
  const total = sources.reduce((sum, { standingCount }) => sum + standingCount, 0);
  return { entries: entriesOf(path, merged), total: total - (found.length - merged.length) };
}

const isWorse = (a: RuleFinding, b: RuleFinding) =>
  severities.indexOf(a.severity) < severities.indexOf(b.severity);

/** Findings in a file in the form of the report: without bodies, which are only for those who introduce a fault. */
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

/** Joins existing problems, and keeps the worst. */
export function joinStanding(parts: readonly Standing[]): Standing {
  const some = parts.filter(({ total }) => total > 0);
  if (some.length === 0) return noneStanding;
  if (some.length === 1 && some[0]!.entries.length <= limits.preexisting) return some[0]!;
  const rank = ({ severity }: Preexisting) => severities.indexOf(severity);
  const all = some.flatMap(({ entries }) => entries);
  const entries = withoutEqual(all.sort((a, b) => rank(a) - rank(b)));
  return {
    entries: entries.slice(0, limits.preexisting),
    total: some.reduce((sum, { total }) => sum + total, 0) - (all.length - entries.length),
  };
}

/** Removes entries of equal rules on the same line, because analyzers may have the same rules as Postil. */
function withoutEqual(entries: readonly Preexisting[]): Preexisting[] {
  const kept = new Map<string, Preexisting[]>();
  return entries.filter((entry) => {
    const key = `${entry.path}\0${entry.start_line}`;
    const same = kept.get(key) ?? [];
    if (same.some(({ rule }) => areEqual([rule], [entry.rule]))) return false;
    kept.set(key, [...same, entry]);
    return true;
  });
}
