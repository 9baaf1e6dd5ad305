import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import { cleanLine, cleanText, type TextLimits } from '../../../reviewer/model/answer/clean-text.ts';

const maxPathLength = 300;
const maxTitleLength = 200;
const maxBodyLength = 8_000;

/**
 * Positions within mentions, HTML tags, URLs, links and images, where a zero-width space is inserted. Hosts leave code
 * alone, but comments are also read by other programs, which must not recognize any of these.
 */
const betweenRisky =
  /(?<=[@\uff20\ufe6b])(?=\S)|(?<=<)(?=\S)|(?<=\/)(?=\/)|(?<=\])(?=\()|(?<=!)(?=\[)|(?<=\bwww)(?=\.)/gi;

/** Formats an untrusted word, such as a path, as code: it cannot end the code, mention anybody, or hide anything. */
export function asCode(text: string): string {
  const plain = redactCredentials(text)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, '\ufffd')
    .replaceAll('`', "'")
    .replaceAll(betweenRisky, '\u200b')
    .trim();
  const short = plain.length > maxPathLength ? `…${plain.slice(1 - maxPathLength)}` : plain;
  return `\`${short === '' ? ' ' : short}\``;
}

/** Sanitizes a line of untrusted text. */
export function safeLine(text: string, repositoryUrl: string, maxLength = maxTitleLength): string {
  return cleanLine(text, { repositoryUrl, maxLength });
}

/** Sanitizes untrusted Markdown. */
export function safeMarkdown(text: string, repositoryUrl: string, maxLength = maxBodyLength): string {
  const limits: TextLimits = { repositoryUrl, maxLength };
  return cleanText(text, limits);
}
