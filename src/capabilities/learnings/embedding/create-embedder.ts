import type { Embedder } from './embedder.ts';
import { createLocalEmbedder } from './local/local-embedder.ts';
import { createOpenAiEmbedder } from './remote/openai-embedder.ts';

export interface EmbedderSettings {
  readonly url?: string | undefined;
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
}

/** Creates the configured embedder: an OpenAI-compatible endpoint if a URL is set, otherwise the local model. */
export function createEmbedder(settings: EmbedderSettings): Embedder {
  const { url, model, apiKey } = settings;
  if (!url) return createLocalEmbedder();
  if (!model) throw new TypeError('An embeddings URL also needs the name of the model');
  return createOpenAiEmbedder({ url, model, apiKey });
}
