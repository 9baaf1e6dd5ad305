import { setImmediate } from 'node:timers/promises';

/** A part of a text that fits the window of the embedding model. */
export interface Chunk {
  readonly text: string;
  /** Estimated length in tokens of the model. */
  readonly tokens: number;
}

/**
 * The local model reads 254 tokens and was trained on half as many. The estimate is at most a fifth too low for
 * prose in any script and for code, so 200 estimated tokens fit; only random strings may be truncated.
 */
const MAX_TOKENS = 200;
const OVERLAP_TOKENS = 30;

/** Words; a long run without spaces counts as several, so that it can be split. */
const WORD = /\S{1,15}/gu;
const TOKEN_GROUP = /[A-Za-z]+|[0-9]+|[^A-Za-z0-9]/gu;
const HANGUL_SYLLABLE = /[\uac00-\ud7a3]/u;

/** Splits each text; long ones take some milliseconds, so other work gets a turn in between. */
export async function splitAllIntoChunks(texts: readonly string[]): Promise<Chunk[][]> {
  const chunked: Chunk[][] = [];
  for (const text of texts) {
    const chunks = splitIntoChunks(text);
    chunked.push(chunks);
    if (chunks.length > 1) await setImmediate();
  }
  return chunked;
}

interface Word {
  readonly start: number;
  readonly end: number;
  /** Estimated tokens of the text before this word. */
  readonly tokensBefore: number;
  readonly tokensThrough: number;
}

/** Splits a text into overlapping chunks of about 150 words; a text that fits is returned unchanged. */
export function splitIntoChunks(text: string): Chunk[] {
  const words = measureWords(text);
  const total = words.at(-1)?.tokensThrough ?? 0;
  if (total <= MAX_TOKENS) return [{ text, tokens: total }];

  const chunks: Chunk[] = [];
  let first = 0;
  for (const [index, word] of words.entries()) {
    if (word.tokensThrough - words[first]!.tokensBefore <= MAX_TOKENS) continue;
    chunks.push(chunkOf(text, words[first]!, words[index - 1]!));
    first = firstWithin(words, OVERLAP_TOKENS, index - 1);
  }
  // The last chunk is extended backwards, because a few words alone would carry little meaning.
  const lastIndex = words.length - 1;
  chunks.push(chunkOf(text, words[firstWithin(words, MAX_TOKENS, lastIndex)]!, words[lastIndex]!));
  return chunks;
}

function measureWords(text: string): Word[] {
  const words: Word[] = [];
  let tokens = 0;
  for (const match of text.matchAll(WORD)) {
    const tokensBefore = tokens;
    tokens += estimateTokens(match[0]);
    words.push({
      start: match.index,
      end: match.index + match[0].length,
      tokensBefore,
      tokensThrough: tokens,
    });
  }
  return words;
}

/** Estimates how many WordPiece tokens a text without spaces has. */
function estimateTokens(word: string): number {
  let tokens = 0;
  for (const [group] of word.matchAll(TOKEN_GROUP)) {
    const first = group.charCodeAt(0);
    if (first > 127) tokens += HANGUL_SYLLABLE.test(group) ? 2 : 1;
    else if (first >= 48 && first <= 57) tokens += Math.ceil(group.length / 2);
    else tokens += Math.ceil(group.length / 4);
  }
  return tokens;
}

/** Index of the earliest word such that the text through word `last` has at most this many tokens. */
function firstWithin(words: readonly Word[], tokens: number, last: number): number {
  const end = words[last]!.tokensThrough;
  let first = last;
  while (first > 0 && end - words[first - 1]!.tokensBefore <= tokens) first -= 1;
  return first;
}

function chunkOf(text: string, first: Word, last: Word): Chunk {
  return {
    text: text.slice(first.start, last.end),
    tokens: last.tokensThrough - first.tokensBefore,
  };
}
