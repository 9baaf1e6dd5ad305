import type { ReviewConfiguration } from '../configuration/review-configuration.ts';
import type { Finding } from '../finding.ts';
import { type Severity, severities } from '../finding-vocabulary.ts';
import { mergeFindings, nothingSeen, type Seen } from './merge-findings.ts';

/** Whether the severity is at least as bad as the floor. */
export function reaches(severity: Severity, floor: Severity | 'none'): boolean {
  return floor !== 'none' && severities.indexOf(severity) <= severities.indexOf(floor);
}

/** Decides what is worth a comment: each fault once, not below the floor, not what people dismissed, worst first, at most so many. */
export function judgeFindings(
  found: readonly Finding[],
  { reviews }: ReviewConfiguration,
  seen: Seen = nothingSeen,
): { findings: Finding[]; overflow: Finding[] } {
  const distinct = [...new Map(found.map((finding) => [finding.identity, finding])).values()];
  const wanted = mergeFindings(distinct, seen)
    .filter(
      ({ severity, identity }) => reaches(severity, reviews.severity_floor) && !seen.dismissed.has(identity),
    )
    .sort(worstFirst);
  return {
    findings: wanted.slice(0, reviews.max_comments),
    overflow: wanted.slice(reviews.max_comments),
  };
}

export function worstFirst(a: Finding, b: Finding): number {
  return (
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) ||
    (a.startLine ?? 0) - (b.startLine ?? 0)
  );
}
