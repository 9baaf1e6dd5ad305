/** How well a Learning matches a query, by criterion. */
export interface FitParts {
  /** Cosine of the nearest parts of both texts; null where there are no vectors to compare. */
  readonly meaning: number | null;
  /** How well the words of the query match the Learning, from 0 to 1. */
  readonly words: number;
  readonly file: FileFit;
}

/** How a Learning's file matches the requested file: the same file, a folder above it, or no file given. */
export type FileFit = 'exact' | 'folder' | 'any';

const wordsWeight = 0.2;
/** The BM25 score that counts as a full match even if it is the best one: about that of three rare words. */
const fullWordsScore = 12;
const exactFileBonus = 0.05;
/** The similarity in meaning that makes a hit; between code and a sentence about it, similarity is low. */
const minimumMeaning = 0.12;
/** The word score that makes a hit without similarity in meaning. */
const minimumWords = 0.3;

/**
 * BM25 grows with the length of the query. Relative to the best Learning found, it is in the range of the cosine; a floor
 * keeps a few common words from counting as a full match where there is nothing better.
 */
export function wordsOf(bm25: number, bestBm25: number): number {
  return bm25 / Math.max(bestBm25, fullWordsScore);
}

/** Without vectors, words replace meaning: a full word match counts as this much meaning, that of a good hit. */
const wordsAsMeaning = 0.5;

/** Whether a Learning matches well enough to be shown. */
export function isHit(meaning: number | null, words: number): boolean {
  return meaning === null ? words > 0 : meaning >= minimumMeaning || words >= minimumWords;
}

/** Scores a Learning from 0 to 1; null when it is no hit. */
export function scoreOf(meaning: number | null, words: number, file: FileFit): number | null {
  if (!isHit(meaning, words)) return null;
  const similarity = (1 - wordsWeight) * Math.max(0, meaning ?? wordsAsMeaning * words) + wordsWeight * words;
  return Math.min(1, similarity + (file === 'exact' ? exactFileBonus : 0));
}

function normalPath(path: string): string {
  return path.replace(/^(\.?\/)+/, '').replace(/\/+$/, '');
}

/**
 * How a Learning's file matches the file under review; null when the Learning is about another file.
 * A Learning without a file applies to every file, and a query without one is about all files.
 */
export function fileFit(learningFile: string | null, reviewedFile: string | undefined): FileFit | null {
  if (learningFile === null || reviewedFile === undefined) return 'any';
  const own = normalPath(learningFile);
  const reviewed = normalPath(reviewedFile);
  if (own === reviewed) return 'exact';
  return own === '' || reviewed.startsWith(`${own}/`) ? 'folder' : null;
}
