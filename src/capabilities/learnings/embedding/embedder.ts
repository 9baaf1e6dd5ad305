/** Whether a text is stored to be found (`document`) or looks for stored ones (`query`, which goes first). */
export type EmbeddingKind = 'document' | 'query';

export interface EmbedOptions {
  readonly kind: EmbeddingKind;
  /** Gives the call up; it then rejects with EmbeddingFailed. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * What one text turns into: one L2-normalised vector per chunk, in the order of the text, at least one.
 * The vectors may be shared with a cache and must not be changed. Two texts are as near as their nearest chunks.
 */
export type Embedding = readonly Float32Array[];

export interface Embedder {
  /** Stable name of the vector space, stored beside every vector: another id means "index again". */
  readonly id: string;
  /** Length of every vector; undefined for as long as only the first answer of an endpoint can tell. */
  readonly dimensions: number | undefined;
  /** One embedding per text, in the order of the texts; rejects with EmbeddingFailed and nothing else. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Embedding[]>;
  /** Frees everything; calls under way and later ones reject with EmbeddingFailed. */
  close(): Promise<void>;
}

/** The texts could not be embedded; its message never holds a text, a key, or any part of an answer. */
export class EmbeddingFailed extends Error {
  override readonly name = 'EmbeddingFailed';
}
