import { parentPort, workerData } from 'node:worker_threads';
import { sectionsOfDiff } from './change-of-diff.ts';
import { DiffError } from './file-sections.ts';
import type { DiffRequest, DiffResult } from './read-sent-diff.ts';

const { diff, files, checkOnly } = workerData as DiffRequest;

function parse(): DiffResult {
  try {
    const sections = sectionsOfDiff(diff, files);
    return { count: sections.length, sections: checkOnly ? [] : sections };
  } catch (error) {
    if (error instanceof DiffError) return { fault: error.message };
    throw error;
  }
}

parentPort!.postMessage(parse());
