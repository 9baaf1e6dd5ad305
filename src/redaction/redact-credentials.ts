import type { CredentialSpan } from './find/credential-span.ts';
import { findCredentials } from './find/find-credentials.ts';
import { REDACTION_MARKER } from './rule.ts';

export { REDACTION_MARKER } from './rule.ts';

/** Kept with each record; it grows whenever the same text may come out differently than before. */
export const REDACTOR_VERSION = 3;

/** Real texts settle in the first round; only a text made for it turns up more credentials in the next. */
const ROUNDS = 6;

/**
 * Replaces every credential in the text by the marker and leaves the rest as it is. Redacting the result again
 * changes nothing, and no input makes it slow: each character costs a bounded amount of work.
 */
export function redactCredentials(text: string): string {
  let current = text;
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = findCredentials(current);
    if (found.length === 0) return current;
    const next = replaceSpans(current, found);
    if (next === current) return current;
    current = next;
  }
  // A text that keeps turning up credentials was made to do so; nothing of it is worth the risk.
  return replaceSpans(current, findCredentials(current)) === current ? current : REDACTION_MARKER;
}

function replaceSpans(text: string, spans: readonly CredentialSpan[]): string {
  let result = '';
  let kept = 0;
  for (const { start, end } of spans) {
    result += text.slice(kept, start) + REDACTION_MARKER;
    kept = end;
  }
  return result + text.slice(kept);
}
