import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Embedding } from '../embedder.ts';
import { createLocalEmbedder } from './local-embedder.ts';

describe('the local embedder with its model', () => {
  const embedder = createLocalEmbedder();
  after(() => embedder.close());

  function rank(query: Embedding, documents: Record<string, Embedding>): string[] {
    const score = (document: Embedding) =>
      Math.max(...document.flatMap((vector) => query.map((part) => cosine(vector, part))));
    return Object.keys(documents).sort((a, b) => score(documents[b]!) - score(documents[a]!));
  }

  it('ranks a paraphrase above sentences about something else', async () => {
    const [locks, paint, names] = await embedder.embed(
      [
        'Always release the mutex in a finally block, even when the operation throws.',
        'Buttons on the settings page use the primary colour.',
        'Function names start with a verb.',
      ],
      { kind: 'document' },
    );
    const [query] = await embedder.embed(['do not keep a lock held after an exception'], { kind: 'query' });
    assert.equal(rank(query!, { locks: locks!, paint: paint!, names: names! })[0], 'locks');
    for (const vector of [...locks!, ...query!]) {
      assert.equal(vector.length, embedder.dimensions);
      assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5);
    }
  });

  it('finds what occurs only at the end of a long text', async () => {
    const filler = 'Buttons on the settings page use the primary colour, links are underlined. '.repeat(14);
    const [query] = await embedder.embed(['database migrations must be reversible'], { kind: 'query' });
    const [long, short] = await embedder.embed(
      [`${filler}Every schema migration needs a way to roll it back.`, 'Links are underlined.'],
      { kind: 'document' },
    );
    assert.ok(long!.length > 1);
    assert.deepEqual(rank(query!, { long: long!, short: short! }), ['long', 'short']);
  });

  it('answers concurrent calls each with its own vectors, the same as when called alone', async () => {
    const texts = ['Use early returns.', 'Prefer const over let.', 'Write a test first.', 'Name units last.'];
    const together = await embedder.embed(texts, { kind: 'document' });
    const apart = await Promise.all(texts.map((text) => embedder.embed([text], { kind: 'query' })));
    for (const [index, [embedding]] of apart.entries()) {
      assert.ok(cosine(embedding![0]!, together[index]![0]!) > 0.99999);
    }
  });

  it('accepts texts that no one would write', async () => {
    const texts = ['', ' \n', '\u0000', 'a\ud800b', '🎉🎉', 'x'.repeat(300)];
    const embeddings = await embedder.embed(texts, { kind: 'document' });
    for (const [vector] of embeddings) assert.ok(Math.abs(Math.hypot(...vector!) - 1) < 1e-5);
    assert.deepEqual(await embedder.embed([], { kind: 'document' }), []);
  });

  it('does not keep the process alive when idle', async () => {
    const module = new URL('./local-embedder.ts', import.meta.url);
    const script = `
      const { createLocalEmbedder } = await import(${JSON.stringify(module.href)});
      console.log((await createLocalEmbedder().embed(['a'], { kind: 'document' })).length);
    `;
    const child = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      timeout: 170_000,
    });
    assert.deepEqual(child, { stdout: '1\n', stderr: '' });
  });
});

describe('the worker of the local embedder', () => {
  // Answers with the number of its thread; dies, hangs or waits without working on demand.
  const workerUrl = new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort, threadId } from 'node:worker_threads';
      parentPort.on('message', (texts) => {
        if (texts.includes('die')) throw new Error('died of ' + texts[0]);
        if (texts.includes('hang')) for (;;);
        if (texts.includes('wait')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
        parentPort.postMessage(texts.map(() => Float32Array.of(threadId)));
      });
    `)}`,
  );
  const threadOf = ([embedding]: Embedding[]) => embedding![0]![0]!;
  const long = (word: string) => `${word} `.repeat(190).trim();

  it('fails only the current call when it dies, and the others continue with a new one', async (t) => {
    const embedder = createLocalEmbedder({ threads: 1, workerUrl });
    t.after(() => embedder.close());
    const before = threadOf(await embedder.embed(['a'], { kind: 'document' }));
    const dying = embedder.embed(['die', long('more')], { kind: 'document' });
    const waiting = embedder.embed(['b'], { kind: 'document' });
    await assert.rejects(dying, {
      name: 'EmbeddingFailed',
      message: 'The local embedding model stopped unexpectedly',
    });
    assert.notEqual(threadOf(await waiting), before);
  });

  it('fails a call when it cannot even start', async (t) => {
    const embedder = createLocalEmbedder({ workerUrl: new URL('./no-such-worker.ts', import.meta.url) });
    t.after(() => embedder.close());
    const calls = ['a', 'b'].map((text) => embedder.embed([text], { kind: 'document' }));
    await Promise.all(calls.map((call) => assert.rejects(call, { name: 'EmbeddingFailed' })));
  });

  it('is replaced when it hangs', async (t) => {
    const embedder = createLocalEmbedder({ workerUrl, batchWorkMs: 1000 });
    t.after(() => embedder.close());
    const hanging = embedder.embed(['hang'], { kind: 'document' });
    const waiting = embedder.embed(['a'], { kind: 'document' });
    await assert.rejects(hanging, {
      name: 'EmbeddingFailed',
      message: 'The local embedding model took too long',
    });
    assert.equal((await waiting).length, 1);
  });

  it('may wait for the CPU longer than it may work', async (t) => {
    const embedder = createLocalEmbedder({ workerUrl, batchWorkMs: 500 });
    t.after(() => embedder.close());
    assert.equal((await embedder.embed(['wait'], { kind: 'document' })).length, 1);
  });

  it('is closed after the idle time and started again when needed', async (t) => {
    const embedder = createLocalEmbedder({ threads: 1, workerUrl, idleMs: 1 });
    t.after(() => embedder.close());
    const first = threadOf(await embedder.embed(['a'], { kind: 'document' }));
    let later = first;
    while (later === first) {
      await setTimeout(20);
      later = threadOf(await embedder.embed(['a'], { kind: 'document' }));
    }
    assert.notEqual(later, first);
  });

  it('serves a query before waiting documents', async (t) => {
    const embedder = createLocalEmbedder({ threads: 1, workerUrl });
    t.after(() => embedder.close());
    const order: string[] = [];
    const note = (name: string) => () => order.push(name);
    await Promise.all([
      embedder.embed([long('one'), long('two')], { kind: 'document' }).then(note('documents')),
      embedder.embed([long('three')], { kind: 'query' }).then(note('query')),
    ]);
    assert.deepEqual(order, ['query', 'documents']);
  });

  it('lets a caller abort without affecting the others', async (t) => {
    const embedder = createLocalEmbedder({ workerUrl });
    t.after(() => embedder.close());
    const abort = new AbortController();
    const texts = Array.from({ length: 20 }, (_, index) => long(`word${index}`));
    const given = embedder.embed(texts, { kind: 'document', signal: abort.signal });
    const other = embedder.embed(['a'], { kind: 'document' });
    abort.abort(new Error('top-secret'));
    await assert.rejects(given, { name: 'EmbeddingFailed', message: 'The embedding was aborted' });
    assert.equal((await other).length, 1);
    await assert.rejects(embedder.embed(['a'], { kind: 'query', signal: abort.signal }), {
      name: 'EmbeddingFailed',
    });
  });

  it('fails running, waiting and later calls once closed', async () => {
    // One thread, so that the second call waits for the one that hangs.
    const embedder = createLocalEmbedder({ workerUrl, threads: 1 });
    await embedder.embed(['a'], { kind: 'document' });
    const calls = ['hang', 'a'].map((text) => embedder.embed([text], { kind: 'document' }));
    const outcomes = Promise.allSettled(calls);
    await setTimeout(50);
    await embedder.close();
    await embedder.close();
    for (const outcome of [
      ...(await outcomes),
      ...(await Promise.allSettled([embedder.embed(['a'], { kind: 'query' })])),
    ]) {
      assert.equal(outcome.status, 'rejected');
      assert.equal(outcome.reason.message, 'The local embedder is closed');
    }
  });
});

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}
