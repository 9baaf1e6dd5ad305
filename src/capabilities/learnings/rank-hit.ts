/** How well a Learning fits a question, part by part. */
export interface FitParts {
  /** Cosine of the nearest parts of both texts; null where there are no vectors to compare. */
  readonly meaning: number | null;
  /** How much of the question's words the Learning has, from 0 to 1. */
  readonly words: number;
  readonly file: FileFit;
}

/** How a Learning's file fits the file asked for: this very file, a folder above it, or no statement about files. */
export type FileFit = 'exact' | 'folder' | 'any';

const wordsWeight = 0.1;
const exactFileBonus = 0.05;
const minimumMeaning = 0.15;
const minimumMeaningForCode = 0.12;
/** About half of the question's words: enough to be a hit without likeness of meaning. */
const tellingWords = 0.3;

/** Tells code from prose by its punctuation. */
export function looksLikeCode(text: string): boolean {
  const marks = text.match(/[{}()[\];=<>&|]|=>|::|->/g)?.length ?? 0;
  return marks >= 3 && marks * 40 > text.length;
}

/** The least likeness of meaning that makes a Learning a hit for this question. */
export function minimumMeaningFor(query: string): number {
  return looksLikeCode(query) ? minimumMeaningForCode : minimumMeaning;
}

/** Scores a Learning from 0 to 1, or gives null when it does not fit well enough to be shown. */
export function scoreOf({ meaning, words, file }: FitParts, leastMeaning: number): number | null {
  const isHit = meaning === null ? words > 0 : meaning >= leastMeaning || words >= tellingWords;
  if (!isHit) return null;
  const likeness = meaning === null ? words : (1 - wordsWeight) * Math.max(0, meaning) + wordsWeight * words;
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
