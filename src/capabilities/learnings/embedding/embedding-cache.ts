import { hash } from 'node:crypto';
import type { Embedder, Embedding, EmbeddingKind } from './embedder.ts';

const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;

/** Wraps an embedder with a cache of the latest texts (by hash), limited in bytes. */
export function withCache(embedder: Embedder, maxBytes = DEFAULT_MAX_BYTES): Embedder {
  const cache = new EmbeddingCache(maxBytes);
  return {
    id: embedder.id,
    get dimensions() {
      return embedder.dimensions;
    },
    close: () => embedder.close(),
    async embed(texts, options) {
      const known = new Map<string, Embedding>();
      const missing = new Set<string>();
      for (const text of texts) {
        const embedding = cache.get(text, options.kind);
        if (embedding) known.set(text, embedding);
        else missing.add(text);
      }
      if (missing.size > 0) {
        const fresh = await embedder.embed([...missing], options);
        for (const [index, text] of [...missing].entries()) {
          cache.set(text, options.kind, fresh[index]!);
          known.set(text, fresh[index]!);
        }
      }
      return texts.map((text) => known.get(text)!);
    },
  };
}

/** Evicts the least recently used first; a Map keeps the order of insertion. */
class EmbeddingCache {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Embedding>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(text: string, kind: EmbeddingKind): Embedding | undefined {
    const key = keyOf(text, kind);
    const embedding = this.#entries.get(key);
    if (embedding) {
      this.#entries.delete(key);
      this.#entries.set(key, embedding);
    }
    return embedding;
  }

  set(text: string, kind: EmbeddingKind, embedding: Embedding): void {
    const key = keyOf(text, kind);
    this.#delete(key);
    this.#entries.set(key, embedding);
    this.#bytes += byteLength(embedding);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    const embedding = this.#entries.get(key);
    if (!embedding) return;
    this.#entries.delete(key);
    this.#bytes -= byteLength(embedding);
  }
}

function keyOf(text: string, kind: EmbeddingKind): string {
  return `${kind}:${hash('sha256', text, 'base64')}`;
}

function byteLength(embedding: Embedding): number {
  return embedding.reduce((sum, vector) => sum + vector.byteLength, 0);
}
