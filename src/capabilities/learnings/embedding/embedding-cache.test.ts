import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDeterministicEmbedder } from './deterministic-embedder.ts';
import type { Embedder } from './embedder.ts';
import { withCache } from './embedding-cache.ts';

const BYTES_PER_TEXT = 8 * Float32Array.BYTES_PER_ELEMENT;

/** An embedder of 8 dimensions that notes which texts it is asked for. */
function createObservedEmbedder(fails = () => false): { embedder: Embedder; asked: string[] } {
  const inner = createDeterministicEmbedder({ dimensions: 8, fails });
  const asked: string[] = [];
  const embedder: Embedder = {
    ...inner,
    embed: (texts, options) => {
      asked.push(...texts);
      return inner.embed(texts, options);
    },
  };
  return { embedder, asked };
}

describe('the cache of embeddings', () => {
  it('embeds no text twice and answers in the order of the texts', async () => {
    const { embedder, asked } = createObservedEmbedder();
    const cached = withCache(embedder);
    await cached.embed(['one', 'two', 'one'], { kind: 'document' });
    const result = await cached.embed(['three', 'two', 'one'], { kind: 'document' });
    assert.deepEqual(asked, ['one', 'two', 'three']);
    assert.deepEqual(result, await embedder.embed(['three', 'two', 'one'], { kind: 'document' }));
    assert.equal(cached.id, embedder.id);
    assert.equal(cached.dimensions, 8);
  });

  it('drops the texts not asked for longest when it is full', async () => {
    const { embedder, asked } = createObservedEmbedder();
    const cached = withCache(embedder, 2 * BYTES_PER_TEXT);
    for (const text of ['one', 'two', 'one', 'three', 'one', 'two'])
      await cached.embed([text], { kind: 'query' });
    assert.deepEqual(asked, ['one', 'two', 'three', 'two']);
  });

  it('works when not even one text fits', async () => {
    const { embedder, asked } = createObservedEmbedder();
    const cached = withCache(embedder, 1);
    const [first] = await cached.embed(['one'], { kind: 'query' });
    const [second] = await cached.embed(['one'], { kind: 'query' });
    assert.deepEqual(first, second);
    assert.deepEqual(asked, ['one', 'one']);
  });

  it('remembers no failure', async () => {
    let failing = true;
    const { embedder } = createObservedEmbedder(() => failing);
    const cached = withCache(embedder);
    await assert.rejects(cached.embed(['one'], { kind: 'query' }), { name: 'EmbeddingFailed' });
    failing = false;
    assert.equal((await cached.embed(['one'], { kind: 'query' })).length, 1);
  });
});
