import type { Embedder } from './embedder.ts';
import { createLocalEmbedder } from './local/local-embedder.ts';
import { createOpenAiEmbedder } from './remote/openai-embedder.ts';

export interface EmbedderSettings {
  readonly url?: string | undefined;
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
}

/** The embedder that the settings ask for: an OpenAI-compatible endpoint when a URL is set, else the local model. */
export function createEmbedder(settings: EmbedderSettings): Embedder {
  const { url, model, apiKey } = settings;
  if (!url) return createLocalEmbedder();
  if (!model) throw new TypeError('An embeddings URL needs the name of the model, too');
  return createOpenAiEmbedder({ url, model, apiKey });
}
