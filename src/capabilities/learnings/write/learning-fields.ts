import { z } from 'zod';
import { must } from '../../../lib/wire/own-checks.ts';
import { isHttpUrl } from '../../../lib/wire/wire.ts';
import { REDACTION_MARKER, redactCredentials } from '../../../redaction/redact-credentials.ts';

const maxLearningCharacters = 10_000;
const maxFileCharacters = 1024;
const maxSourceUrlCharacters = 2048;

/** Counts code points: a surrogate pair is one character. */
function hasMoreCharactersThan(text: string, maximum: number): boolean {
  if (text.length <= maximum) return false;
  if (text.length > 2 * maximum) return true;
  let count = 0;
  for (const _ of text) count += 1;
  return count > maximum;
}

function isOnlySecret(redacted: string): boolean {
  return (
    redacted.includes(REDACTION_MARKER) && !/[\p{L}\p{N}]/u.test(redacted.replaceAll(REDACTION_MARKER, ''))
  );
}

/** The text of a Learning as it is stored: trimmed and without credentials; no other code ever sees the text as sent. */
export const learningText = z.string().transform((sent, issues) => {
  const trimmed = sent.trim();
  if (trimmed === '') issues.addIssue('must not be empty');
  else if (hasMoreCharactersThan(trimmed, maxLearningCharacters))
    issues.addIssue(`must have at most ${maxLearningCharacters} characters`);
  else {
    const redacted = redactCredentials(trimmed).trim();
    if (!isOnlySecret(redacted)) return redacted;
    issues.addIssue('contains nothing but a credential');
  }
  return z.NEVER;
});

/** File-path metadata, without credentials. */
export const filePath = z
  .string()
  .min(1, 'must not be empty')
  .check(
    must(
      (sent) => !hasMoreCharactersThan(sent, maxFileCharacters),
      `must have at most ${maxFileCharacters} characters`,
    ),
  )
  .transform(redactCredentials);

/** Source URL metadata, without credentials. */
export const sourceUrl = z
  .string()
  .check(
    must(
      (sent) => !hasMoreCharactersThan(sent, maxSourceUrlCharacters),
      `must have at most ${maxSourceUrlCharacters} characters`,
    ),
  )
  .check(must(isHttpUrl, 'must be an http or https URL'))
  .transform(redactCredentials);
