import type { Embedding } from './embedding/embedder.ts';
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
  const partsOf = (position: number): FitParts => ({
    meaning: Number.isNaN(meanings[position]!) ? null : meanings[position]!,
    words: wordsOf(words[position]!, mostWords),
    file: fileFit(facts[position]!.file, question.file)!,
  });
  const scores = new Float64Array(facts.length);
  for (let position = 0; position < scores.length; position += 1) {
    scores[position] = scoreOf(partsOf(position)) ?? Number.NaN;
  }
  return bestPositions(scores, limit, (position) => facts[position]!.id).map((position) => ({
    facts: facts[position]!,
    score: scores[position]!,
    parts: partsOf(position),
  }));
}

/** The positions of the highest scores, best first, equal ones by name; NaN is no score. */
function bestPositions(scores: Float64Array, limit: number, nameOf: (position: number) => string): number[] {
  // Sorting the bare numbers finds the threshold far faster than sorting all the positions. NaN goes to the end.
  const ascending = scores.filter((score) => !Number.isNaN(score)).sort();
  const threshold = ascending[Math.max(0, ascending.length - limit)];
  if (threshold === undefined) return [];
  const positions: number[] = [];
  for (const [position, score] of scores.entries()) if (score >= threshold) positions.push(position);
  positions.sort((a, b) => scores[b]! - scores[a]! || (nameOf(a) < nameOf(b) ? -1 : 1));
  return positions.slice(0, limit);
}
