import { type Embedder, type Embedding, EmbeddingFailed } from './embedder.ts';
import { splitIntoChunks } from './split-into-chunks.ts';
import { normaliseVector } from './vectors/normalise-vector.ts';

export interface DeterministicEmbedderOptions {
  readonly id?: string;
  readonly dimensions?: number;
  /** Called for each embedding: true makes it fail. */
  readonly fails?: () => boolean;
}

/** An embedder for tests without model or network: texts are similar if they share many words. */
export function createDeterministicEmbedder(options: DeterministicEmbedderOptions = {}): Embedder {
  const { id = 'deterministic:words', dimensions = 256, fails = () => false } = options;
  let closed = false;
  return {
    id,
    dimensions,
    async embed(texts, { signal }) {
      if (closed || signal?.aborted || fails()) throw new EmbeddingFailed('The embedder was set to fail');
      return texts.map(
        (text): Embedding => splitIntoChunks(text).map((chunk) => hashWords(chunk.text, dimensions)),
      );
    },
    async close() {
      closed = true;
    },
  };
}

/** Each word adds or subtracts 1 at the index given by its hash; different words rarely collide. */
function hashWords(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    const hash = fnv1a(word);
    vector[(hash >>> 1) % dimensions]! += hash & 1 ? 1 : -1;
  }
  return normaliseVector(vector) ?? Float32Array.from(vector, (_, index) => (index === 0 ? 1 : 0));
}

function fnv1a(word: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(word)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
