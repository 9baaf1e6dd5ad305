import type { Embedding } from '../embedding/embedder.ts';
import type { LearningFacts } from '../indexing/index-store.ts';
import type { RepositoryIndex } from './repository-index.ts';
import { type FitParts, fileFit, isHit, scoreOf, wordsOf } from './score-hit.ts';

export interface RankingQuery {
  readonly text: string;
  /** Undefined if the query could not be embedded: then only the words count. */
  readonly embedding: Embedding | undefined;
  readonly file?: string | undefined;
}

export interface RankedLearning {
  readonly facts: LearningFacts;
  readonly score: number;
  readonly parts: FitParts;
}

const noHit = -1;
/** Scores between 0 and 1 are counted in this many buckets. */
const buckets = 4096;

/** The Learnings that match a query best, among those that are accepted and not about another file. */
export function rankLearnings(
  index: RepositoryIndex,
  query: RankingQuery,
  accepts: (facts: LearningFacts) => boolean,
  limit: number,
): RankedLearning[] {
  const { facts, meanings, words } = index.compare(
    query,
    (own) => fileFit(own.file, query.file) !== null && accepts(own),
  );
  const bestWords = largest(words);
  const meaningAt = (position: number) => (Number.isNaN(meanings[position]!) ? null : meanings[position]!);
  const wordsAt = (position: number) => wordsOf(words[position]!, bestWords);
  const fitAt = (position: number) => fileFit(facts[position]!.file, query.file)!;
  const scores = new Float64Array(facts.length);
  for (let position = 0; position < scores.length; position += 1) {
    const meaning = meaningAt(position);
    const own = wordsAt(position);
    // Nearly all Learnings miss, so their file is not even compared.
    scores[position] = isHit(meaning, own) ? scoreOf(meaning, own, fitAt(position))! : noHit;
  }
  return bestPositions(scores, limit, (position) => facts[position]!.id).map((position) => ({
    facts: facts[position]!,
    score: scores[position]!,
    parts: { meaning: meaningAt(position), words: wordsAt(position), file: fitAt(position) },
  }));
}

function largest(scores: Float64Array): number {
  let best = 0;
  for (let position = 0; position < scores.length; position += 1) {
    if (scores[position]! > best) best = scores[position]!;
  }
  return best;
}

/** The positions of the highest scores, best first, ties by name; negative scores are excluded. */
function bestPositions(scores: Float64Array, limit: number, nameOf: (position: number) => string): number[] {
  const threshold = scoreThreshold(scores, limit);
  const positions: number[] = [];
  for (let position = 0; position < scores.length; position += 1) {
    if (scores[position]! >= threshold) positions.push(position);
  }
  positions.sort((a, b) => scores[b]! - scores[a]! || (nameOf(a) < nameOf(b) ? -1 : 1));
  return positions.slice(0, limit);
}

/** A threshold that at least `limit` scores reach, and few more: counting scores by bucket avoids sorting them all. */
function scoreThreshold(scores: Float64Array, limit: number): number {
  const counts = new Uint32Array(buckets + 1);
  for (let position = 0; position < scores.length; position += 1) {
    if (scores[position]! >= 0) counts[Math.floor(scores[position]! * buckets)]! += 1;
  }
  let bucket = buckets;
  let reached = counts[bucket]!;
  while (reached < limit && bucket > 0) {
    bucket -= 1;
    reached += counts[bucket]!;
  }
  return bucket / buckets;
}
