import type { Finding } from '../finding.ts';

/** The fields that decide whether a program may apply the suggestion of a finding. */
export type Fixable = Pick<
  Finding,
  'identity' | 'source' | 'confidence' | 'suggestion' | 'side' | 'startLine' | 'endLine' | 'quote'
>;

/** Only proven suggestions of rules are applied; people must judge those of models and of other analyzers. */
export function isFixable({ source, confidence, suggestion, side, startLine, endLine }: Fixable): boolean {
  const isCertain = source.kind === 'rule' && confidence === 'proven';
  return isCertain && suggestion !== null && side === 'new' && startLine !== null && endLine !== null;
}
