import { parentPort, workerData } from 'node:worker_threads';
import { sectionsOfDiff } from './change-of-diff.ts';
import { DiffError } from './file-sections.ts';
import type { DiffAnswer, DiffQuestion } from './read-sent-diff.ts';

const { diff, files, isOnlyChecked } = workerData as DiffQuestion;

function answer(): DiffAnswer {
  try {
    const sections = sectionsOfDiff(diff, files);
    return { count: sections.length, sections: isOnlyChecked ? [] : sections };
  } catch (error) {
    if (error instanceof DiffError) return { fault: error.message };
    throw error;
  }
}

parentPort!.postMessage(answer());
