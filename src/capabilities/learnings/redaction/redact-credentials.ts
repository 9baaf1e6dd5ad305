import { allRules } from './all-rules.ts';
import { findKubernetesSecrets } from './find-kubernetes-secrets.ts';
import { findPrivateKeys } from './find-private-keys.ts';
import { KeywordIndex } from './keyword-index.ts';
import { REDACTION_MARKER } from './rule.ts';
import { Scan } from './scan.ts';

export { REDACTION_MARKER } from './rule.ts';

/** Kept with each record; it grows whenever the same text may come out differently than before. */
export const REDACTOR_VERSION = 2;

/** Real texts settle in the first round; only a text made for it turns up more credentials in the next. */
const ROUNDS = 6;

const keywordIndex = new KeywordIndex(allRules);

/**
 * Replaces every credential in the text by the marker and leaves the rest as it is. Redacting the result again
 * changes nothing, and no input makes it slow: each character costs a bounded amount of work.
 */
export function redactCredentials(text: string): string {
  let current = text;
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = redactOnce(current);
    if (next === current) return current;
    current = next;
  }
  // A text that keeps turning up credentials was made to do so; nothing of it is worth the risk.
  return redactOnce(current) === current ? current : REDACTION_MARKER;
}

function redactOnce(text: string): string {
  const scan = new Scan(text);
  keywordIndex.visit(text, (rule, start, end) => rule.find(scan, start, end));
  findPrivateKeys(scan);
  findKubernetesSecrets(scan);
  return scan.redacted();
}
