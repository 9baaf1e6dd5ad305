import type { Database } from '../../../db/database.ts';
import { type Embedder, type Embedding, EmbeddingFailed } from '../embedding/embedder.ts';
import { encodeVectors } from '../embedding/vectors/vector-codec.ts';
import type { ContentKey, StoredLearning } from '../learning-record.ts';
import { storeVectors } from './index-store.ts';

/** How long a request waits for vectors, however short its texts, and how many characters add a millisecond. */
const leastBudgetMs = 60_000;
const charactersPerBudgetMs = 10;
/**
 * What one call to the embedder gets: first about eight short texts, so that a slow model has stored something when the
 * time is over; more as long as calls are quick, so that a distant one is not asked too often.
 */
const leastPerCall = 2_000;
const mostPerCall = 20_000;
const shortText = 250;
const quickCallMs = 1_000;
/** Vectors are not remade for another embedder sooner than this, so that two nodes with different ones do not race. */
const settledMs = 10 * 60_000;

export interface IndexDeps {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly clock: () => Date;
}

/** A record whose vectors are wanted. */
export type Unindexed = Pick<StoredLearning, keyof ContentKey | 'id' | 'text'>;

/** How long a request with these texts waits for vectors; what is not there by then is left to the repair job. */
function requestBudgetMs(texts: readonly string[]): number {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  return leastBudgetMs + Math.ceil(characters / charactersPerBudgetMs);
}

/** From when on the repair job may look at what a request wrote now and embeds itself. */
export function repairFrom(now: Date, texts: readonly string[]): Date {
  return new Date(now.getTime() + 1.5 * requestBudgetMs(texts));
}

/** How many of the texts, at least one, make the next call. */
function countForCall(learnings: readonly Unindexed[], size: number): number {
  let rest = size;
  const tooMuch = learnings.findIndex(({ text }) => {
    rest -= Math.max(text.length, shortText);
    return rest < 0;
  });
  return tooMuch === -1 ? learnings.length : Math.max(1, tooMuch);
}

async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Embedding[] | undefined> {
  try {
    return await embedder.embed(texts, { kind: 'document', signal });
  } catch (error) {
    if (error instanceof EmbeddingFailed) return undefined;
    throw error;
  }
}

/** What came of an attempt to embed records. */
export interface IndexOutcome {
  /** The ids of those without vectors. They are found by their words until the repair job has embedded them. */
  readonly left: ReadonlySet<string>;
  /** True when the embedder failed; false also when the time was over before it was done, on a busy machine. */
  readonly hasFailed: boolean;
}

/** Embeds records in their order and stores their vectors step by step. */
export async function indexLearnings(
  { database, embedder, clock }: IndexDeps,
  learnings: readonly Unindexed[],
  signal: AbortSignal = AbortSignal.timeout(requestBudgetMs(learnings.map(({ text }) => text))),
): Promise<IndexOutcome> {
  let left = learnings;
  let size = leastPerCall;
  while (left.length > 0) {
    const group = left.slice(0, countForCall(left, size));
    const startedAt = performance.now();
    const embeddings = await embedTexts(
      embedder,
      group.map(({ text }) => text),
      signal,
    );
    if (embeddings === undefined) return outcome(left, !signal.aborted);
    size = performance.now() - startedAt < quickCallMs ? Math.min(2 * size, mostPerCall) : leastPerCall;
    const entries = group.map((learning, position) => ({
      learning,
      vectors: encodeVectors(embeddings[position]!),
    }));
    const settledAt = new Date(clock().getTime() + settledMs);
    await database.transaction((tx) => storeVectors(tx, embedder.id, entries, settledAt));
    left = left.slice(group.length);
  }
  return outcome(left, false);
}

function outcome(left: readonly Unindexed[], hasFailed: boolean): IndexOutcome {
  return { left: new Set(left.map(({ id }) => id)), hasFailed };
}
