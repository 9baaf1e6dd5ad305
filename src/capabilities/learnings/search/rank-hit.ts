/** How well a Learning fits a question, part by part. */
export interface FitParts {
  /** Cosine of the nearest parts of both texts; null where there are no vectors to compare. */
  readonly meaning: number | null;
  /** How much the words of the question tell for the Learning, from 0 to 1. */
  readonly words: number;
  readonly file: FileFit;
}

/** How a Learning's file fits the file asked for: this very file, a folder above it, or no statement about files. */
export type FileFit = 'exact' | 'folder' | 'any';

const wordsWeight = 0.2;
/** The BM25 score that counts in full even if no Learning has a higher one: about that of three rare words. */
const leastFullWords = 12;
const exactFileBonus = 0.05;
/** The least likeness of meaning that makes a hit; that of code and a sentence about it is low. */
const minimumMeaning = 0.12;
/** Words that tell so much make a hit without likeness of meaning. */
const tellingWords = 0.3;

/**
 * BM25 grows with the length of the question. Measured by the best Learning found, it comes into the range of the
 * cosine; a floor keeps a few common words from counting in full where nothing better is there.
 */
export function wordsOf(bm25: number, bestBm25: number): number {
  return bm25 / Math.max(bestBm25, leastFullWords);
}

/** Without vectors, words stand in for meaning: all words of the best hit for the meaning that a good hit has. */
const meaningOfWords = 0.5;

/** Scores a Learning from 0 to 1, or gives null when it does not fit well enough to be shown. */
export function scoreOf(meaning: number | null, words: number, file: FileFit): number | null {
  const isHit = meaning === null ? words > 0 : meaning >= minimumMeaning || words >= tellingWords;
  if (!isHit) return null;
  const likeness = (1 - wordsWeight) * Math.max(0, meaning ?? meaningOfWords * words) + wordsWeight * words;
  return Math.min(1, likeness + (file === 'exact' ? exactFileBonus : 0));
}

function normalPath(path: string): string {
  return path.replace(/^(\.?\/)+/, '').replace(/\/+$/, '');
}

/**
 * How a Learning's file fits the file under review; null when it is guidance for another one.
 * A Learning without a file is for every file, and a question without one is about all of them.
 */
export function fileFit(learningFile: string | null, reviewedFile: string | undefined): FileFit | null {
  if (learningFile === null || reviewedFile === undefined) return 'any';
  const own = normalPath(learningFile);
  const reviewed = normalPath(reviewedFile);
  if (own === reviewed) return 'exact';
  return own === '' || reviewed.startsWith(`${own}/`) ? 'folder' : null;
}
