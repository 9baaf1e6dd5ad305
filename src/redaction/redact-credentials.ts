import type { CredentialSpan } from './find/credential-span.ts';
import { findCredentials } from './find/find-credentials.ts';
import { REDACTION_MARKER } from './rule.ts';

export { REDACTION_MARKER } from './rule.ts';

/** Stored with each record; incremented whenever a change may redact the same text differently. */
export const REDACTOR_VERSION = 5;

/** Real text no longer changes after the first round; only crafted text reveals more credentials in the next. */
const ROUNDS = 6;

/**
 * Replaces every credential in the text with the marker and leaves the rest unchanged. Redacting the result again changes
 * nothing, and no input makes it slow: each character costs a bounded amount of work.
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
  // Text that still reveals credentials was crafted to do so; it is replaced as a whole, to be safe.
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
