import type { Logger } from '../../../lib/log.ts';
import { counter, gauge, type MetricsRegistry } from '../../../lib/metrics.ts';
import type { Embedder, EmbeddingKind } from './embedder.ts';

/** The same failure is logged at most once in this time, with the number of repetitions. */
const logIntervalMs = 60_000;

export interface EmbedderWatch {
  readonly log: Logger;
  readonly registry: MetricsRegistry;
}

interface LoggedFailure {
  readonly loggedAtMs: number;
  unlogged: number;
}

/** Wraps an embedder to count and log its failures: search works without it, so they would go unnoticed. */
export function watchEmbedder(embedder: Embedder, { log, registry }: EmbedderWatch): Embedder {
  const calls = counter(registry, {
    name: 'postil_embedding_calls_total',
    help: 'Calls to embed texts, by kind (document or query) and outcome (succeeded or failed)',
    labels: ['kind', 'outcome'],
  });
  const failing = gauge(registry, {
    name: 'postil_embedding_failing',
    help: '1 while the latest call of the kind (document or query) failed, else 0',
    labels: ['kind'],
  });
  const isFailing = new Set<EmbeddingKind>();
  const logged = new Map<string, LoggedFailure>();

  function noteSuccess(kind: EmbeddingKind): void {
    calls.inc({ kind, outcome: 'succeeded' });
    failing.set({ kind }, 0);
    if (isFailing.delete(kind)) log.info({ kind }, 'embedding works again');
  }

  // The message of a failed embedding never contains a text, a key or a response.
  function noteFailure(kind: EmbeddingKind, message: string): void {
    calls.inc({ kind, outcome: 'failed' });
    failing.set({ kind }, 1);
    isFailing.add(kind);
    const name = `${kind}: ${message}`;
    const before = logged.get(name);
    if (before !== undefined && Date.now() - before.loggedAtMs < logIntervalMs) {
      before.unlogged += 1;
      return;
    }
    log.warn({ kind, reason: message, unlogged: before?.unlogged ?? 0 }, 'embedding failed');
    logged.set(name, { loggedAtMs: Date.now(), unlogged: 0 });
  }

  return {
    id: embedder.id,
    get dimensions() {
      return embedder.dimensions;
    },
    async embed(texts, options) {
      try {
        const embeddings = await embedder.embed(texts, options);
        noteSuccess(options.kind);
        return embeddings;
      } catch (error) {
        // Aborted because the server stops, not because of a timeout.
        const { aborted, reason } = options.signal ?? {};
        const isStopping = aborted === true && reason?.name !== 'TimeoutError';
        if (!isStopping) noteFailure(options.kind, error instanceof Error ? error.message : String(error));
        throw error;
      }
    },
    close: () => embedder.close(),
  };
}
