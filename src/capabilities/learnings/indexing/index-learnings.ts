import { randomUUID } from 'node:crypto';
import type { Database } from '../../../db/database.ts';
import { type Embedder, type Embedding, EmbeddingFailed } from '../embedding/embedder.ts';
import { encodeVectors } from '../embedding/vectors/vector-codec.ts';
import type { ContentKey, StoredLearning } from '../learning-record.ts';
import { storeVectors } from './index-store.ts';

/** The minimum time a request waits for vectors, and how many characters add a millisecond. */
const minBudgetMs = 60_000;
const charactersPerBudgetMs = 10;
/**
 * Characters per call to the embedder: first about eight short texts, so that a slow model has produced something when
 * time runs out; more while calls are fast, so that a remote model is not called too often.
 */
const minPerCall = 2_000;
const maxPerCall = 20_000;
const shortText = 250;
const quickCallMs = 1_000;
/** Vectors are not replaced by another embedder sooner than this, so that two nodes with different ones do not race. */
const reindexDelayMs = 10 * 60_000;

export interface IndexDeps {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly clock: () => Date;
}

/** A record that needs vectors. */
export type Unindexed = Pick<StoredLearning, keyof ContentKey | 'id' | 'text'>;

/** How long a request with these texts waits for vectors; the repair schedule takes care of the rest. */
function requestBudgetMs(texts: readonly string[]): number {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  return minBudgetMs + Math.ceil(characters / charactersPerBudgetMs);
}

/** When the repair schedule may take over records that a request has just written and embeds itself. */
export function repairDueAt(now: Date, texts: readonly string[]): Date {
  return new Date(now.getTime() + 1.5 * requestBudgetMs(texts));
}

/** How many of the texts, at least one, go into the next call. */
function countForCall(learnings: readonly Unindexed[], size: number): number {
  let rest = size;
  const overflow = learnings.findIndex(({ text }) => {
    rest -= Math.max(text.length, shortText);
    return rest < 0;
  });
  return overflow === -1 ? learnings.length : Math.max(1, overflow);
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

/**
 * Whether the model works in general, even if it fails for other texts. The text is different each time, so that no cache
 * can answer.
 */
export async function embedsHarmlessText(embedder: Embedder, signal: AbortSignal): Promise<boolean> {
  return (await embedTexts(embedder, [`Name things well (${randomUUID()})`], signal)) !== undefined;
}

/** The outcome of an attempt to embed records. */
export interface IndexOutcome {
  /** The ids of those without vectors. Search finds them by their words until the repair schedule has embedded them. */
  readonly unindexed: ReadonlySet<string>;
  /** Whether the embedder failed; false if time merely ran out, as on a busy machine. */
  readonly hasFailed: boolean;
}

/** Embeds records in their order and stores their vectors step by step. */
export async function indexLearnings(
  { database, embedder, clock }: IndexDeps,
  learnings: readonly Unindexed[],
  signal: AbortSignal = AbortSignal.timeout(requestBudgetMs(learnings.map(({ text }) => text))),
): Promise<IndexOutcome> {
  let unindexed = learnings;
  let size = minPerCall;
  while (unindexed.length > 0) {
    const group = unindexed.slice(0, countForCall(unindexed, size));
    const startedAt = performance.now();
    const embeddings = await embedTexts(
      embedder,
      group.map(({ text }) => text),
      signal,
    );
    if (embeddings === undefined) return outcome(unindexed, !signal.aborted);
    size = performance.now() - startedAt < quickCallMs ? Math.min(2 * size, maxPerCall) : minPerCall;
    const entries = group.map((learning, position) => ({
      learning,
      vectors: encodeVectors(embeddings[position]!),
    }));
    const settledAt = new Date(clock().getTime() + reindexDelayMs);
    await database.transaction((tx) => storeVectors(tx, embedder.id, entries, settledAt));
    unindexed = unindexed.slice(group.length);
  }
  return outcome(unindexed, false);
}

function outcome(unindexed: readonly Unindexed[], hasFailed: boolean): IndexOutcome {
  return { unindexed: new Set(unindexed.map(({ id }) => id)), hasFailed };
}
