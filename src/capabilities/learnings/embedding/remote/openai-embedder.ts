import { anyAddress } from '../../../../outbound/address-guard.ts';
import { createOutbound, type Outbound } from '../../../../outbound/outbound.ts';
import { type Embedder, type Embedding, EmbeddingFailed, type EmbedOptions } from '../embedder.ts';
import { splitAllIntoChunks } from '../split-into-chunks.ts';
import { readEmbeddings } from './openai-answer.ts';
import { type PostLimits, postJson } from './post-json.ts';

export interface OpenAiEmbedderOptions {
  /** Base of the API, such as `https://host/v1`; a query string, which some hosts need, is kept. */
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  readonly limits?: Partial<PostLimits>;
}

const MAX_BATCH_TEXTS = 64;
const PRINTABLE_ASCII = /^[\x21-\x7e]+$/;

const DEFAULT_LIMITS: PostLimits = {
  timeoutMs: 30_000,
  attempts: 3,
  backoffMs: 500,
  maxWaitMs: 20_000,
  maxAnswerBytes: 32 * 1024 * 1024,
};

/** Embeds through any endpoint that speaks OpenAI's `/embeddings`; throws a TypeError for a URL or key it cannot use. */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  return new OpenAiEmbedder(options);
}

class OpenAiEmbedder implements Embedder {
  readonly id: string;
  readonly #url: URL;
  readonly #model: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #limits: PostLimits;
  // The operator names the endpoint, which may well be inside the network.
  readonly #outbound: Outbound = createOutbound(anyAddress);
  readonly #closing = new AbortController();
  #dimensions: number | undefined;

  constructor({ url, model, apiKey, limits }: OpenAiEmbedderOptions) {
    if (apiKey && !PRINTABLE_ASCII.test(apiKey)) {
      throw new TypeError('The embeddings API key contains characters that are not allowed in a header');
    }
    this.#url = embeddingsUrl(url);
    this.#model = model;
    this.#headers = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.id = `openai:${model}@${this.#url.host}${this.#url.pathname.replace(/\/embeddings$/, '')}`;
  }

  get dimensions(): number | undefined {
    return this.#dimensions;
  }

  async embed(texts: readonly string[], { signal }: EmbedOptions): Promise<Embedding[]> {
    const stop = signal ? AbortSignal.any([this.#closing.signal, signal]) : this.#closing.signal;
    const chunked = await splitAllIntoChunks(texts);
    const inputs = chunked.flat().map((chunk) => chunk.text.toWellFormed());
    const vectors: Float32Array[] = [];
    for (let start = 0; start < inputs.length; start += MAX_BATCH_TEXTS) {
      vectors.push(...(await this.#embedBatch(inputs.slice(start, start + MAX_BATCH_TEXTS), stop)));
    }
    return chunked.map((chunks) => vectors.splice(0, chunks.length));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#outbound.close();
  }

  async #embedBatch(input: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const body = JSON.stringify({ model: this.#model, input, encoding_format: 'float' });
    const post = { outbound: this.#outbound, url: this.#url, headers: this.#headers, body, signal };
    const answer = await postJson(post, this.#limits);
    const vectors = readEmbeddings(answer, input.length);
    const { length } = vectors[0]!;
    this.#dimensions ??= length;
    if (length !== this.#dimensions) {
      throw new EmbeddingFailed(
        `The embeddings endpoint sent vectors of ${length} instead of ${this.#dimensions} dimensions`,
      );
    }
    return vectors;
  }
}

function embeddingsUrl(base: string): URL {
  const url = URL.parse(base);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError('The embeddings URL must be an http(s) URL');
  if (url.username || url.password) {
    throw new TypeError(
      'The embeddings URL must not contain a user name or password: set the API key instead',
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/embeddings') ? path : `${path}/embeddings`;
  url.hash = '';
  return url;
}
