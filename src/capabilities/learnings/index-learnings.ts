import type { Database } from '../../db/database.ts';
import { type Embedder, type Embedding, EmbeddingFailed } from './embedding/embedder.ts';
import { encodeVectors } from './embedding/vector-codec.ts';
import { storeVectors } from './index-store.ts';
import type { ContentKey, StoredLearning } from './learning-record.ts';

/** How long a request waits for vectors; what is not there by then is left to the repair job. */
const requestBudgetMs = 30_000;
/** Texts of one call to the embedder: few enough that a long batch is stored in steps. */
const charactersPerCall = 20_000;
/** Vectors are not remade for another embedder sooner than this, so that two nodes with different ones do not race. */
const settledMs = 10 * 60_000;

export interface IndexDeps {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly clock: () => Date;
}

/** A record whose vectors are wanted. */
export type Unindexed = Pick<StoredLearning, keyof ContentKey | 'id' | 'text'>;

function* groups(learnings: readonly Unindexed[]): Generator<Unindexed[]> {
  let group: Unindexed[] = [];
  let characters = 0;
  for (const learning of learnings) {
    if (group.length > 0 && characters + learning.text.length > charactersPerCall) {
      yield group;
      group = [];
      characters = 0;
    }
    group.push(learning);
    characters += learning.text.length;
  }
  if (group.length > 0) yield group;
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

/** Embeds records and stores their vectors; gives the ids of those that could not be embedded. */
export async function indexLearnings(
  { database, embedder, clock }: IndexDeps,
  learnings: readonly Unindexed[],
  signal: AbortSignal = AbortSignal.timeout(requestBudgetMs),
): Promise<Set<string>> {
  const left = new Set(learnings.map(({ id }) => id));
  for (const group of groups(learnings)) {
    const embeddings = await embedTexts(
      embedder,
      group.map(({ text }) => text),
      signal,
    );
    if (embeddings === undefined) break;
    const entries = group.map((learning, position) => ({
      learning,
      vectors: encodeVectors(embeddings[position]!),
    }));
    const settledAt = new Date(clock().getTime() + settledMs);
    await database.transaction((tx) => storeVectors(tx, embedder.id, entries, settledAt));
    for (const { id } of group) left.delete(id);
  }
  return left;
}
