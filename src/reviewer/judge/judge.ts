import type { ReviewConfiguration } from '../configuration/review-configuration.ts';
import type { Finding } from '../finding.ts';
import { type Severity, severities } from '../finding-vocabulary.ts';
import type { QuietFinding } from '../review-report.ts';
import {
  acceptanceOf,
  findBelowFloor,
  findQuiet,
  isOff,
  isReportedAnyway,
  type RuleRecord,
  rulesOff,
  withoutQuiet,
} from './attention.ts';
import { mergeFindings, nothingSeen, type Seen } from './merge-findings.ts';

/** Whether the severity is at least as bad as the floor. */
export function reaches(severity: Severity, floor: Severity | 'none'): boolean {
  return floor !== 'none' && severities.indexOf(severity) <= severities.indexOf(floor);
}

/**
 * Decides which findings are posted: each fault once, not below the floor, not dismissed, best first, up to the limit.
 * `overflow` has the wanted findings that are not posted, including quiet ones.
 */
export function judgeFindings(
  found: readonly Finding[],
  { reviews }: ReviewConfiguration,
  seen: Seen = nothingSeen,
  records: readonly RuleRecord[] = [],
): { findings: Finding[]; overflow: Finding[]; quiet: readonly QuietFinding[] } {
  const off = rulesOff(records);
  const distinct = new Map(
    found.filter((finding) => !isOff(finding, off)).map((finding) => [finding.identity, finding]),
  );
  const wanted = mergeFindings([...distinct.values()], seen)
    .filter(
      (finding) =>
        (reaches(finding.severity, reviews.severity_floor) || isReportedAnyway(finding)) &&
        !seen.dismissed.has(finding.identity),
    )
    .sort(bestFirst(records));
  const quiet = quietOf(wanted, records, reviews);
  const findings = withoutQuiet(wanted, quiet).slice(0, reviews.max_comments);
  const kept = new Set(findings);
  return { findings, overflow: wanted.filter((finding) => !kept.has(finding)), quiet };
}

/** The findings that must not be posted, each once, with the first reason that applies. */
export function quietOf(
  findings: readonly Finding[],
  records: readonly RuleRecord[],
  { attention, severity_floor }: ReviewConfiguration['reviews'],
  posted?: ReadonlySet<string>,
): QuietFinding[] {
  const low = findBelowFloor(findings, severity_floor, posted);
  return [...low, ...findQuiet(withoutQuiet(findings, low), records, attention, posted)];
}

/** Compares by severity, confidence, and the acceptance of the rules; then by place. */
export function bestFirst(records: readonly RuleRecord[]): (a: Finding, b: Finding) => number {
  const byRule = new Map(records.map((record) => [record.rule, record]));
  return (a, b) =>
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    Number(b.confidence === 'proven') - Number(a.confidence === 'proven') ||
    acceptanceOf(b, byRule) - acceptanceOf(a, byRule) ||
    (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) ||
    (a.startLine ?? 0) - (b.startLine ?? 0);
}

export const worstFirst = bestFirst([]);
