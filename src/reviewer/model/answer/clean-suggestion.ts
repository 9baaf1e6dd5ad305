import { REDACTION_MARKER, redactCredentials } from '../../../redaction/redact-credentials.ts';
import { cleanText } from './clean-text.ts';

const maxLength = 10_000;

/**
 * The suggestion if it may be offered unchanged, otherwise null: code is not repaired. Content that comments may not have is
 * allowed only if the file contains it already.
 */
export function cleanSuggestion(
  suggestion: string | null | undefined,
  fileText: string | undefined,
): string | null {
  if (suggestion === null || suggestion === undefined || suggestion.length > maxLength) return null;
  const code = withoutFence(suggestion).replaceAll('\r\n', '\n').replace(/\n$/, '');
  if (code.includes(REDACTION_MARKER) || redactCredentials(code) !== code) return null;
  const known = new Set((fileText ?? '').split('\n').map((line) => line.trim()));
  const added = code.split('\n').filter((line) => !known.has(line.trim()));
  const isInert = added.every((line) => isInertCode(line, fileText ?? ''));
  return isInert ? code : null;
}

/** Whether cleaning a line as code in a comment would not change it, except for URLs and mentions that the file contains. */
function isInertCode(line: string, fileText: string): boolean {
  const parts = line.match(/[a-z][a-z0-9+.-]*:\/\/[^\s"'`<>)\]}]+|@[\w.-]+/gi) ?? [];
  const foreign = parts.filter((part) => !fileText.includes(part));
  if (foreign.length > 0) return false;
  const bare = parts.reduce((text, part) => text.replaceAll(part, ''), line).trim();
  if (bare === '') return true;
  const block = cleanText(`\`\`\`\n${bare}\n\`\`\``, { maxLength: 2 * maxLength });
  return block.split('\n').slice(1, -1).join('\n').trim() === bare;
}

function withoutFence(text: string): string {
  const fenced = /^\s*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?\1\s*$/.exec(text);
  return fenced === null ? text : fenced[2]!;
}
