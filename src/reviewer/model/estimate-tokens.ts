export interface TokenCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
}
/**
 * A conservative estimate: code has three to four characters per token, other scripts about one. Exact counts differ between
 * models; the actual usage is in their replies.
 */
export function estimateTokens(text: string): number {
  let others = 0;
  for (const character of text) if (character.codePointAt(0)! > 0x7f) others += 1;
  return Math.ceil((text.length - others) / 3) + others;
}
