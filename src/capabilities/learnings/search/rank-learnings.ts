import type { Embedding } from '../embedding/embedder.ts';
import { type FitParts, fileFit, scoreOf, wordsOf } from './rank-hit.ts';
import type { LearningFacts, RepositoryIndex } from './repository-index.ts';

export interface Question {
  readonly text: string;
  /** Undefined when it could not be embedded: then the words answer alone. */
  readonly embedding: Embedding | undefined;
  readonly file?: string | undefined;
}

export interface RankedLearning {
  readonly facts: LearningFacts;
  readonly score: number;
  readonly parts: FitParts;
}

const noHit = -1;
/** Scores lie between 0 and 1 and are counted in so many steps. */
const heights = 4096;

/** The Learnings that fit a question best, of those that are accepted and not for another file. */
export function rankLearnings(
  index: RepositoryIndex,
  question: Question,
  accepts: (facts: LearningFacts) => boolean,
  limit: number,
): RankedLearning[] {
  const { facts, meanings, words } = index.compare(
    question,
    (own) => fileFit(own.file, question.file) !== null && accepts(own),
  );
  const mostWords = words.reduce((most, score) => Math.max(most, score), 0);
  const meaningAt = (position: number) => (Number.isNaN(meanings[position]!) ? null : meanings[position]!);
  const wordsAt = (position: number) => wordsOf(words[position]!, mostWords);
  const fitAt = (position: number) => fileFit(facts[position]!.file, question.file)!;
  const scores = new Float64Array(facts.length);
  for (let position = 0; position < scores.length; position += 1) {
    scores[position] = scoreOf(meaningAt(position), wordsAt(position), fitAt(position)) ?? noHit;
  }
  return bestPositions(scores, limit, (position) => facts[position]!.id).map((position) => ({
    facts: facts[position]!,
    score: scores[position]!,
    parts: { meaning: meaningAt(position), words: wordsAt(position), file: fitAt(position) },
  }));
}

/** The positions of the highest scores, best first, equal ones by name; negative ones are left out. */
function bestPositions(scores: Float64Array, limit: number, nameOf: (position: number) => string): number[] {
  const least = leastOfBest(scores, limit);
  const positions: number[] = [];
  for (let position = 0; position < scores.length; position += 1) {
    if (scores[position]! >= least) positions.push(position);
  }
  positions.sort((a, b) => scores[b]! - scores[a]! || (nameOf(a) < nameOf(b) ? -1 : 1));
  return positions.slice(0, limit);
}

/** A score that at least so many reach, and not many more: counting scores by height spares sorting them all. */
function leastOfBest(scores: Float64Array, limit: number): number {
  const counts = new Uint32Array(heights + 1);
  for (let position = 0; position < scores.length; position += 1) {
    if (scores[position]! >= 0) counts[Math.floor(scores[position]! * heights)]! += 1;
  }
  let height = heights;
  let reached = counts[height]!;
  while (reached < limit && height > 0) {
    height -= 1;
    reached += counts[height]!;
  }
  return height / heights;
}
