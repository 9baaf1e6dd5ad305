import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import { cleanLine, cleanText, type TextLimits } from '../../../reviewer/model/answer/clean-text.ts';

const maxPathLength = 300;
const maxTitleLength = 200;
const maxBodyLength = 8_000;

/**
 * Between the characters of a mention, a tag, an address, a link or an image. Hosts show code as it is, but others read
 * comments too; a space that nobody sees is enough that none of them takes it for one.
 */
const betweenRisky =
  /(?<=[@\uff20\ufe6b])(?=\S)|(?<=<)(?=\S)|(?<=\/)(?=\/)|(?<=\])(?=\()|(?<=!)(?=\[)|(?<=\bwww)(?=\.)/gi;

/**
 * A path, or another word that is not ours, as code. Whoever made the pull request chose it: it cannot end the code, call
 * anybody, or hide anything.
 */
export function asCode(text: string): string {
  const plain = redactCredentials(text)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, '\ufffd')
    .replaceAll('`', "'")
    .replaceAll(betweenRisky, '\u200b')
    .trim();
  const short = plain.length > maxPathLength ? `…${plain.slice(1 - maxPathLength)}` : plain;
  return `\`${short === '' ? ' ' : short}\``;
}

/** A line of prose, whoever wrote it. */
export function safeLine(text: string, repositoryUrl: string, maxLength = maxTitleLength): string {
  return cleanLine(text, { repositoryUrl, maxLength });
}

/** Markdown, whoever wrote it. */
export function safeMarkdown(text: string, repositoryUrl: string, maxLength = maxBodyLength): string {
  const limits: TextLimits = { repositoryUrl, maxLength };
  return cleanText(text, limits);
}
