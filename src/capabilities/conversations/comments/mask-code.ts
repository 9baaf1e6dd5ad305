const parts = [
  /<!--[\s\S]*?(?:-->|$(?![\s\S]))/g,
  /^[ \t]*(?:```|~~~)[\s\S]*?(?:^[ \t]*(?:```|~~~)[ \t]*$|$(?![\s\S]))/gm,
  /^ {0,3}>.*$/gm,
  /^(?: {4}|\t).*$/gm,
  /`+[^`\n]*`+/g,
];

/** Stands for a character that its author did not mean as said: nobody can type it. */
export const masked = '\0';

/**
 * A comment with everything masked that is not said by its author in plain words: code, quotations and hidden text. Positions
 * stay what they are, so that the original text can be cut by them.
 */
export function maskCode(body: string): string {
  return parts.reduce(
    (text, part) => text.replaceAll(part, (found) => found.replaceAll(/[^\n]/g, masked)),
    body.replaceAll(masked, ' '),
  );
}
