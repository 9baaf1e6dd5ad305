import cvss from 'ae-cvss-calculator';

/** The base score of a vector of CVSS 3 or 4, or a score that is written out; undefined for anything else. */
export function cvssScore(text: string): number | undefined {
  if (/^\d{1,2}(?:\.\d)?$/.test(text)) return Number(text);
  if (!/^CVSS:[34]\.\d\/[\w:/]{1,300}$/.test(text)) return undefined;
  const vector = cvss.fromVector(text);
  if (vector === null || !vector.isBaseFullyDefined()) return undefined;
  const { base, baseMetricsOnly } = vector.calculateScores() as BaseScores;
  return baseMetricsOnly ?? base;
}

/** CVSS 4 counts threats into its `base`; what a database says of them holds for a day. */
interface BaseScores {
  readonly base?: number;
  readonly baseMetricsOnly?: number;
}
