import type { ReviewResult } from '../../../reviewer/review/review-result.ts';
import { maxStoredFindings } from './run-limits.ts';

/**
 * A result with its worst findings, and a reason if some were left out. Applied before anything is published, so that the host
 * shows the status that the run has.
 */
export function limitResult(result: ReviewResult): ReviewResult {
  const count = result.findings.length + result.overflow.length;
  if (count <= maxStoredFindings) return result;
  const left = `of ${count} findings the worst ${maxStoredFindings} were kept`;
  const findings = result.findings.slice(0, maxStoredFindings);
  return {
    ...result,
    findings,
    overflow: result.overflow.slice(0, maxStoredFindings - findings.length),
    status: 'degraded',
    reason: result.reason === null ? left : `${result.reason}; ${left}`,
  };
}
