export interface TokenCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
}
/**
 * An estimate on the safe side: code has three to four characters a token, other scripts about one. Exact counts differ
 * between models; what was really used is in their answers.
 */
export function estimateTokens(text: string): number {
  let others = 0;
  for (const character of text) if (character.codePointAt(0)! > 0x7f) others += 1;
  return Math.ceil((text.length - others) / 3) + others;
}
