import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDeterministicEmbedder } from './deterministic-embedder.ts';
import { CosineMatrix } from './vectors/cosine-matrix.ts';
import { VectorPanels } from './vectors/vector-panels.ts';

describe('the deterministic embedder', () => {
  it('ranks texts by the words they share and gives equal texts equal vectors', async () => {
    const embedder = createDeterministicEmbedder();
    const texts = ['Close the database connection in a finally block', 'Prefer short function names'];
    const [query, ...documents] = await embedder.embed(['close a database connection', ...texts], {
      kind: 'query',
    });
    const matrix = new CosineMatrix(new VectorPanels(embedder.dimensions!));
    for (const [index, document] of documents.entries()) matrix.set(index, document);
    const [near, far] = matrix.scores(query!, texts.length);
    assert.ok(near! > 0.5 && far! < 0.3);
    assert.deepEqual(await embedder.embed(texts, { kind: 'document' }), documents);
  });

  it('returns normalised vectors for any text, several for a long one', async () => {
    const embedder = createDeterministicEmbedder({ dimensions: 16 });
    const embeddings = await embedder.embed(['', '!?', 'a b c', 'many words '.repeat(500)], {
      kind: 'document',
    });
    for (const vector of embeddings.flat()) assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6);
    assert.deepEqual(
      embeddings.map((vectors) => vectors.length > 1),
      [false, false, false, true],
    );
  });

  it('fails when set to, when aborted and when closed', async () => {
    let failing = true;
    const embedder = createDeterministicEmbedder({ fails: () => failing });
    await assert.rejects(embedder.embed(['a'], { kind: 'query' }), { name: 'EmbeddingFailed' });
    failing = false;
    await embedder.embed(['a'], { kind: 'query' });
    await assert.rejects(embedder.embed(['a'], { kind: 'query', signal: AbortSignal.abort() }), {
      name: 'EmbeddingFailed',
    });
    await embedder.close();
    await assert.rejects(embedder.embed(['a'], { kind: 'query' }), { name: 'EmbeddingFailed' });
  });
});
