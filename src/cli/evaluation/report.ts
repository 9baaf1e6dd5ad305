import type { EvaluationCase } from '../../reviewer/evaluation/dataset.ts';
import { type Estimate, type Score, scoreCases } from '../../reviewer/evaluation/score.ts';
import { type Breakdown, breakDown, formatBreakdown } from './breakdown.ts';
import type { CaseResult } from './results-file.ts';

export interface Report extends Score {
  readonly model: string;
  readonly cases: number;
  readonly degraded: number;
  readonly raised: number;
  readonly golden: number;
  readonly matched: number;
  readonly files: number;
  readonly tokens: number;
  readonly cost_usd: number;
  /** The number of files in scope that were not reviewed completely, by reason. */
  readonly not_covered: Readonly<Record<string, number>>;
  readonly failed: readonly { readonly case: string; readonly error: string }[];
  /** The number of cases that were not started because of the cost limit. */
  readonly left_out: number;
  /** Only for data sets whose cases have a kind. */
  readonly breakdown?: Breakdown;
}

export function reportOn(
  results: readonly CaseResult[],
  cases: readonly EvaluationCase[],
  model: string,
  leftOut: number,
): Report {
  const breakdown = breakDown(results, cases);
  const evaluated = results.flatMap((result) => ('error' in result ? [] : [result]));
  const failed = results.flatMap((result) => ('error' in result ? [result] : []));
  const sum = (value: (result: (typeof evaluated)[number]) => number) =>
    evaluated.reduce((total, result) => total + value(result), 0);
  const notCovered: Record<string, number> = {};
  for (const { shortfalls } of evaluated)
    for (const [reason, count] of Object.entries(shortfalls))
      notCovered[reason] = (notCovered[reason] ?? 0) + count;
  return {
    model,
    cases: evaluated.length,
    degraded: evaluated.filter(({ status }) => status === 'degraded').length,
    raised: sum(({ raised }) => raised),
    golden: sum(({ golden }) => golden),
    matched: sum(({ matched }) => matched),
    ...scoreCases(evaluated),
    files: sum(({ files }) => files),
    tokens: sum(({ tokens }) => tokens),
    cost_usd: sum(({ costUsd }) => costUsd),
    not_covered: notCovered,
    failed: failed.map(({ name, error }) => ({ case: name, error })),
    left_out: leftOut,
    ...(breakdown === undefined ? {} : { breakdown }),
  };
}

const percent = (value: number | null) => (value === null ? 'none' : `${(100 * value).toFixed(1)} %`);
const withInterval = ({ value, low, high }: Estimate) =>
  value === null ? 'none' : `${percent(value)}  (95 %: ${percent(low)} to ${percent(high)})`;

export function formatReport(report: Report): string {
  const missing = Object.entries(report.not_covered).map(([reason, count]) => `${count} ${reason}`);
  return [
    `model      ${report.model}`,
    `cases      ${report.cases}, ${report.degraded} of them degraded`,
    `findings   ${report.raised} raised, ${report.golden} expected, ${report.matched} matched`,
    `precision  ${withInterval(report.precision)}`,
    `recall     ${withInterval(report.recall)}`,
    `F1         ${withInterval(report.f1)}`,
    ...(report.breakdown === undefined ? [] : formatBreakdown(report.breakdown)),
    `cost       US$ ${report.cost_usd.toFixed(4)}, ${report.tokens} tokens`,
    `uncovered  ${missing.length === 0 ? 'nothing' : `${missing.join(', ')} of ${report.files} files`}`,
    ...(report.left_out === 0 ? [] : [`left out   ${report.left_out} cases, because of the limit on costs`]),
    ...report.failed.map(({ case: name, error }) => `failed     ${name}: ${error}`),
  ].join('\n');
}
