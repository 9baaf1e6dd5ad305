import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import type { ChangedFile } from '../../../reviewer/change/change.ts';
import { stillParses } from '../../../reviewer/code/still-parses.ts';
import type { Finding } from '../../../reviewer/finding.ts';
import { replaceLines } from '../../../reviewer/judge/apply-suggestion.ts';
import { cleanSuggestion } from '../../../reviewer/model/answer/clean-suggestion.ts';

/**
 * The suggestion of a finding if it can be applied as it is: the lines are unchanged since the finding was made, the
 * suggestion changes them, and the file still parses with it. Null otherwise.
 */
export async function offerSuggestion(
  { suggestion, side, startLine, endLine, quote }: Finding,
  file: Pick<ChangedFile, 'path' | 'newText'>,
): Promise<string | null> {
  if (suggestion === null || side !== 'new' || startLine === null || endLine === null) return null;
  const text = await file.newText();
  const clean = cleanSuggestion(suggestion, text);
  if (text === undefined || clean === null) return null;
  const lines = text.split('\n');
  const replaced = lines.slice(startLine - 1, endLine).join('\n');
  // Lines with a credential are never offered for replacement; stored quotes have none.
  if (
    redactCredentials(replaced) !== replaced ||
    replaced.replaceAll('\r', '') !== quote.replaceAll('\r', '')
  )
    return null;
  if (clean === replaced) return null;
  const after = replaceLines(text, startLine, endLine, clean);
  return (await stillParses(file.path, text, after)) ? clean : null;
}
