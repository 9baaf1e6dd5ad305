import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLearnings } from '../../../../test/learnings-fixture.ts';
import { type RetrievalSample, retrievalSamples } from '../../../../test/retrieval-samples.ts';
import { createEmbedder } from '../embedding/create-embedder.ts';
import { EmbeddingFailed } from '../embedding/embedder.ts';

const model = createEmbedder({});
let isModelAway = false;
const test$ = await startLearnings({
  embedder: {
    ...model,
    async embed(texts, { kind }) {
      if (isModelAway) throw new EmbeddingFailed('away');
      // Without the time limit of a search: the test is about quality, also on a slow machine.
      return model.embed(texts, { kind });
    },
  },
});

/** At which place each sample's own Learning is found, 0 for the first; Infinity when it is not. */
async function ranks(samples: readonly RetrievalSample[]): Promise<number[]> {
  const places: number[] = [];
  for (const { query, learning } of samples) {
    const found = await test$.search(query, { limit: 5 });
    const place = found.findIndex((row) => row.learning === learning);
    places.push(place === -1 ? Number.POSITIVE_INFINITY : place);
  }
  return places;
}

const recall = (places: readonly number[], at: number) =>
  places.filter((place) => place < at).length / places.length;

test('the built-in model finds guidance by its meaning where words alone do not', async (context) => {
  await test$.post(retrievalSamples.map(({ learning }) => learning));
  const prose = retrievalSamples.filter(({ isCode }) => !isCode);
  const code = retrievalSamples.filter(({ isCode }) => isCode);
  const report = (name: string, places: readonly number[]) => {
    const figures = [1, 5].map((at) => `recall@${at} ${recall(places, at).toFixed(2)}`);
    context.diagnostic(`${name}: ${figures.join(', ')} (${places.length} queries)`);
  };
  const byMeaning = { prose: await ranks(prose), code: await ranks(code) };
  isModelAway = true;
  const byWords = { prose: await ranks(prose), code: await ranks(code) };
  await model.close();
  report('model and words, prose', byMeaning.prose);
  report('model and words, code', byMeaning.code);
  report('words alone, prose', byWords.prose);
  report('words alone, code', byWords.code);
  assert.ok(recall(byMeaning.prose, 5) >= 0.8);
  assert.ok(recall(byMeaning.code, 5) >= 0.8);
  assert.ok(recall(byMeaning.prose, 5) > recall(byWords.prose, 5) + 0.2);
  assert.ok(recall(byMeaning.code, 5) > recall(byWords.code, 5) + 0.2);
});
