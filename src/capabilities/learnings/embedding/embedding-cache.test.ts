import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDeterministicEmbedder } from './deterministic-embedder.ts';
import type { Embedder } from './embedder.ts';
import { withCache } from './embedding-cache.ts';

const BYTES_PER_TEXT = 8 * Float32Array.BYTES_PER_ELEMENT;

/** An embedder of 8 dimensions that records which texts it embeds. */
function createObservedEmbedder(fails = () => false): { embedder: Embedder; embedded: string[] } {
  const inner = createDeterministicEmbedder({ dimensions: 8, fails });
  const embedded: string[] = [];
  const embedder: Embedder = {
    ...inner,
    embed: (texts, options) => {
      embedded.push(...texts);
      return inner.embed(texts, options);
    },
  };
  return { embedder, embedded };
}

describe('the cache of embeddings', () => {
  it('embeds no text twice and returns vectors in the order of the texts', async () => {
    const { embedder, embedded } = createObservedEmbedder();
    const cached = withCache(embedder);
    await cached.embed(['one', 'two', 'one'], { kind: 'document' });
    const result = await cached.embed(['three', 'two', 'one'], { kind: 'document' });
    assert.deepEqual(embedded, ['one', 'two', 'three']);
    assert.deepEqual(result, await embedder.embed(['three', 'two', 'one'], { kind: 'document' }));
    assert.equal(cached.id, embedder.id);
    assert.equal(cached.dimensions, 8);
  });

  it('evicts the least recently used texts when it is full', async () => {
    const { embedder, embedded } = createObservedEmbedder();
    const cached = withCache(embedder, 2 * BYTES_PER_TEXT);
    for (const text of ['one', 'two', 'one', 'three', 'one', 'two'])
      await cached.embed([text], { kind: 'query' });
    assert.deepEqual(embedded, ['one', 'two', 'three', 'two']);
  });

  it('works when not even one text fits', async () => {
    const { embedder, embedded } = createObservedEmbedder();
    const cached = withCache(embedder, 1);
    const [first] = await cached.embed(['one'], { kind: 'query' });
    const [second] = await cached.embed(['one'], { kind: 'query' });
    assert.deepEqual(first, second);
    assert.deepEqual(embedded, ['one', 'one']);
  });

  it('does not cache failures', async () => {
    let failing = true;
    const { embedder } = createObservedEmbedder(() => failing);
    const cached = withCache(embedder);
    await assert.rejects(cached.embed(['one'], { kind: 'query' }), { name: 'EmbeddingFailed' });
    failing = false;
    assert.equal((await cached.embed(['one'], { kind: 'query' })).length, 1);
  });
});
