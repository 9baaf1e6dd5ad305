import { createEmbedder } from '../../src/capabilities/learnings/embedding/create-embedder.ts';
import type { Embedder } from '../../src/capabilities/learnings/embedding/embedder.ts';
import type { Send, StartApp } from './bench-app.ts';
import { print, summary } from './report.ts';

/** Repeatedly calls a small endpoint that queries the database, until it is stopped. */
async function smallRequests(send: Send, until: Promise<unknown>) {
  const times: number[] = [];
  let isDone = false;
  until.then(
    () => {
      isDone = true;
    },
    () => {
      isDone = true;
    },
  );
  while (!isDone) {
    const start = performance.now();
    await send('GET', '/ready');
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return times;
}

/** Creates 100 Learnings at once, and a long one, with the built-in model. */
export async function benchBatch(start: StartApp): Promise<void> {
  const model = createEmbedder({});
  let embeddingMs = 0;
  const timed: Embedder = {
    id: model.id,
    dimensions: model.dimensions,
    close: () => model.close(),
    async embed(texts, options) {
      const start = performance.now();
      const embeddings = await model.embed(texts, options);
      embeddingMs += performance.now() - start;
      return embeddings;
    },
  };
  const app = await start(timed);
  const { send } = app;
  await model.embed(['warm'], { kind: 'query' });
  const alone = await smallRequests(send, new Promise((resolve) => setTimeout(resolve, 3000)));
  const data = Array.from({ length: 100 }, (_, index) => ({
    repository_id: '0',
    learning: `Rule ${index}: close connections in a finally block and log the reason of the failure once.`,
  }));
  const begin = performance.now();
  const batch = send('POST', '/v1/learnings', { data });
  const meanwhile = await smallRequests(send, batch);
  const { json } = await batch;
  const seconds = (performance.now() - begin) / 1000;
  print(
    `100 short items, built-in model: ${seconds.toFixed(2)} s (goal < 2 s), ${json.created_count} created; ` +
      `without the model's work ${(seconds * 1000 - embeddingMs).toFixed(0)} ms`,
  );
  print(`  small GET alone: ${summary(alone)}; meanwhile: ${summary(meanwhile)} (goal p99 < 2 ×)`);
  const repeat = performance.now();
  await send('POST', '/v1/learnings', { data });
  print(`  the same again (100 duplicates): ${(performance.now() - repeat).toFixed(0)} ms`);
  const query = performance.now();
  await send('POST', '/v1/learnings/search', { repository_id: '0', query: 'leaking handles on errors' });
  print(`  one search, query embedded by the model: ${(performance.now() - query).toFixed(0)} ms`);
  const long = 'Guidance of many words that goes on and on about one thing and another. '
    .repeat(140)
    .slice(0, 9_900);
  const longStart = performance.now();
  await send('POST', '/v1/learnings', { data: [{ repository_id: '0', learning: long }] });
  print(`  one Learning of 9,900 characters: ${((performance.now() - longStart) / 1000).toFixed(2)} s`);
  await app.close();
  await model.close();
}
