import cvss from 'ae-cvss-calculator';

/** The base score of a CVSS 3 or 4 vector, or a score written as a number; undefined for anything else. */
export function cvssScore(text: string): number | undefined {
  if (/^\d{1,2}(?:\.\d)?$/.test(text)) return Number(text);
  if (!/^CVSS:[34]\.\d\/[\w:/]{1,300}$/.test(text)) return undefined;
  const vector = cvss.fromVector(text);
  if (vector === null || !vector.isBaseFullyDefined()) return undefined;
  const { base, baseMetricsOnly } = vector.calculateScores() as BaseScores;
  return baseMetricsOnly ?? base;
}

/** In CVSS 4, `base` includes threat metrics. In a database these are outdated after a day, so `baseMetricsOnly` is preferred. */
interface BaseScores {
  readonly base?: number;
  readonly baseMetricsOnly?: number;
}
