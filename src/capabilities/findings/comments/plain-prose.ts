const fence = /^[ \t]*(?:```|~~~)[\s\S]*?(?:^[ \t]*(?:```|~~~)[ \t]*$|$(?![\s\S]))/gm;
const quote = /^[ \t]*>.*$/gm;
const htmlComment = /<!--[\s\S]*?(?:-->|$)/g;
const inlineCode = /`+[^`\n]*`+/g;
/** Text that its author struck out. */
const struckOut = /~~[^~\n]+~~/g;
const mention = /(^|[^\w@])@[\w-]+(?:\/[\w-]+)?(?:\[bot\])?/g;
const link = /\[([^\]\n]*)\]\([^)\n]*\)|https?:\/\/\S+/g;

/** The author's own words in a comment: without code, quotations, hidden and struck-out text, URLs and mentions. */
export function plainProse(body: string): string {
  return body
    .replaceAll('\r', '')
    .replaceAll(htmlComment, ' ')
    .replaceAll(fence, ' ')
    .replaceAll(quote, ' ')
    .replaceAll(link, (_, text?: string) => text ?? ' ')
    .replaceAll(inlineCode, ' ')
    .replaceAll(struckOut, ' ')
    .replaceAll(mention, '$1 ')
    .replaceAll(/[*_~]{1,3}(?=\S)|(?<=\S)[*_~]{1,3}/g, '')
    .replaceAll(/[‘’ʼ]/g, "'");
}

/** The sentences of a text, each with its closing punctuation. Line breaks, and a comma before "but", also end a sentence. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+|,?\s+(?=\b(?:but|however|although|though)\b)|\s+[-–—]+\s+|;\s+/i)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '');
}
