export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

export type SarifLevel = 'none' | 'note' | 'warning' | 'error';

const SEVERITY_OF_LEVEL: Record<SarifLevel, Severity> = {
  error: 'high',
  warning: 'medium',
  note: 'low',
  none: 'info',
};

/** The level that expresses a severity for tools that do not know `security-severity`. */
export const LEVEL_OF_SEVERITY: Record<Severity, SarifLevel> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'none',
};

/** `security-severity` in the middle of each band; GitHub reads a zero as "no security severity". */
export const SCORE_OF_SEVERITY: Record<Severity, string> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '2.0',
  info: '0.0',
};

/** Determines the severity from the first `security-severity` score or, if that is unusable, from the level. */
export function severityOf(scores: readonly unknown[], level: SarifLevel): Severity {
  const score = scoreOf(scores);
  if (score === null) return SEVERITY_OF_LEVEL[level];
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return 'low';
}

/** The first `security-severity` that is given; null if there is none, or it is not a positive number. */
export function scoreOf(scores: readonly unknown[]): number | null {
  const score = scores.find((one) => one !== undefined && one !== null);
  const value = typeof score === 'string' && score.trim() !== '' ? Number(score) : score;
  return typeof value === 'number' && value > 0 ? value : null;
}
