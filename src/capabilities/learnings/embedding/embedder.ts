/** Whether a text is stored to be found (`document`) or looks for stored ones (`query`, which goes first). */
export type EmbeddingKind = 'document' | 'query';

export interface EmbedOptions {
  readonly kind: EmbeddingKind;
  /** Aborts the call, which then rejects with EmbeddingFailed. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The embedding of one text: one L2-normalised vector per chunk, in the order of the text, at least one. The vectors may
 * be shared with a cache and must not be changed. Two texts are as similar as their most similar chunks.
 */
export type Embedding = readonly Float32Array[];

export interface Embedder {
  /** Stable name of the vector space, stored with every vector: a different id means that texts must be indexed again. */
  readonly id: string;
  /** Length of every vector; undefined until the first response of an endpoint shows it. */
  readonly dimensions: number | undefined;
  /** One embedding per text, in the order of the texts; rejects with EmbeddingFailed and nothing else. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Embedding[]>;
  /** Frees everything; running and later calls reject with EmbeddingFailed. */
  close(): Promise<void>;
}

/** The texts could not be embedded; the message never contains a text, a key, or any part of a response. */
export class EmbeddingFailed extends Error {
  override readonly name = 'EmbeddingFailed';
}
