import { shownPath } from '../../redaction/shown-path.ts';
import type { Finding, FindingPlace } from '../../reviewer/finding.ts';
import { onOneLine } from './terminal-text.ts';

/** The place of a finding as text. A removed line has its number before the change, and the text says so. */
export function namePlace({ path, side, startLine }: FindingPlace): string {
  const name = onOneLine(shownPath(path));
  if (startLine === null) return name;
  return side === 'new' ? `${name}:${startLine}` : `${name} (line ${startLine} before the change)`;
}

/** All rules that raised a finding, or the model. */
export function nameSources({ rules, source }: Pick<Finding, 'rules' | 'source'>): string {
  return onOneLine(rules.length > 0 ? rules.join(', ') : source.name);
}
