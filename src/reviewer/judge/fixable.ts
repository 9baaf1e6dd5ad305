import type { Finding } from '../finding.ts';

/** What makes a finding one whose lines a program may replace. */
export type Fixable = Pick<
  Finding,
  'identity' | 'source' | 'confidence' | 'suggestion' | 'side' | 'startLine' | 'endLine' | 'quote'
>;

/** What a rule suggests with certainty; what a model or another analyzer suggests is for people to judge. */
export function isFixable({ source, confidence, suggestion, side, startLine, endLine }: Fixable): boolean {
  const isCertain = source.kind === 'rule' && confidence === 'proven';
  return isCertain && suggestion !== null && side === 'new' && startLine !== null && endLine !== null;
}
