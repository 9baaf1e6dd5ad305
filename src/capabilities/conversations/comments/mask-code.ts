const parts = [
  /<!--[\s\S]*?(?:-->|$(?![\s\S]))/g,
  /^[ \t]*(?:```|~~~)[\s\S]*?(?:^[ \t]*(?:```|~~~)[ \t]*$|$(?![\s\S]))/gm,
  /^ {0,3}>.*$/gm,
  /^(?: {4}|\t).*$/gm,
  /`+[^`\n]*`+/g,
];

/** Replaces characters that are not the author's plain words; NUL cannot occur in comments. */
export const masked = '\0';

/**
 * Masks everything in a comment that is not plain text by its author: code, quotations and hidden text. Positions do not
 * change, so that they are valid in the original text.
 */
export function maskCode(body: string): string {
  return parts.reduce(
    (text, part) => text.replaceAll(part, (found) => found.replaceAll(/[^\n]/g, masked)),
    body.replaceAll(masked, ' '),
  );
}
