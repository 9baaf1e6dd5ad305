const fence = /^[ \t]*(?:```|~~~)[\s\S]*?(?:^[ \t]*(?:```|~~~)[ \t]*$|$(?![\s\S]))/gm;
const quote = /^[ \t]*>.*$/gm;
const htmlComment = /<!--[\s\S]*?(?:-->|$)/g;
const inlineCode = /`+[^`\n]*`+/g;
/** What somebody took back, and left to be seen. */
const struckOut = /~~[^~\n]+~~/g;
const mention = /(^|[^\w@])@[\w-]+(?:\/[\w-]+)?(?:\[bot\])?/g;
const link = /\[([^\]\n]*)\]\([^)\n]*\)|https?:\/\/\S+/g;

/** What somebody wrote in a comment themselves: without code, quotations, hidden and struck out text, addresses and mentions. */
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

/** The sentences of a text, each with the mark that ends it; a line and a comma before "but" end one, too. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+|,?\s+(?=\b(?:but|however|although|though)\b)|\s+[-–—]+\s+|;\s+/i)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '');
}
