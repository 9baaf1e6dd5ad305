import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EmbeddingCall, EmbeddingQueue } from './embedding-queue.ts';

const chunk = (text: string, tokens = 200) => ({ text, tokens });

/** Empties the queue and returns the texts of each batch in the order in which they are taken. */
function takeAll(queue: EmbeddingQueue): string[][] {
  const batches: string[][] = [];
  for (let batch = queue.takeBatch(); batch; batch = queue.takeBatch()) {
    batches.push(batch.chunks.map(({ text }) => text));
  }
  return batches;
}

describe('the queue of the local embedder', () => {
  it('takes queries before documents, even those that come later', () => {
    const queue = new EmbeddingQueue();
    queue.add(new EmbeddingCall('document', [[chunk('document 1')], [chunk('document 2')]]));
    assert.equal(queue.takeBatch()?.chunks[0]?.text, 'document 2');
    queue.add(new EmbeddingCall('query', [[chunk('query')]]));
    assert.deepEqual(takeAll(queue), [['query'], ['document 1']]);
  });

  it('lets calls take turns, so that a short one need not wait for a long one', () => {
    const queue = new EmbeddingQueue();
    queue.add(new EmbeddingCall('document', [[chunk('long 1'), chunk('long 2'), chunk('long 3')]]));
    queue.add(new EmbeddingCall('document', [[chunk('short')]]));
    assert.deepEqual(takeAll(queue), [['long 3'], ['short'], ['long 2'], ['long 1']]);
  });

  it('puts short chunks of one call into one batch, up to the batch limit', () => {
    const queue = new EmbeddingQueue();
    queue.add(
      new EmbeddingCall('document', [
        [chunk('a', 10)],
        [chunk('big', 300)],
        [chunk('b', 8)],
        [chunk('c', 51)],
      ]),
    );
    queue.add(new EmbeddingCall('document', [[chunk('other', 1)]]));
    assert.deepEqual(takeAll(queue), [['b', 'a', 'c'], ['other'], ['big']]);
  });

  it('returns the vectors in the order of texts and chunks', async () => {
    const queue = new EmbeddingQueue();
    const call = new EmbeddingCall('document', [
      [chunk('3', 3)],
      [chunk('2', 2), chunk('200')],
      [chunk('1', 1)],
    ]);
    queue.add(call);
    for (let batch = queue.takeBatch(); batch; batch = queue.takeBatch()) {
      call.accept(
        batch,
        batch.chunks.map(({ text }) => Float32Array.of(Number(text))),
      );
    }
    const values = (await call.result).map((vectors) => vectors.map((vector) => vector[0]));
    assert.deepEqual(values, [[3], [2, 200], [1]]);
  });

  it('drops a removed call, and can fail all waiting ones', async () => {
    const queue = new EmbeddingQueue();
    const removed = new EmbeddingCall('document', [[chunk('removed')]]);
    const waiting = new EmbeddingCall('query', [[chunk('waiting')]]);
    queue.add(removed);
    queue.add(waiting);
    queue.remove(removed);
    queue.failAll('no more');
    assert.equal(queue.takeBatch(), undefined);
    await assert.rejects(waiting.result, { name: 'EmbeddingFailed', message: 'no more' });
  });
});
