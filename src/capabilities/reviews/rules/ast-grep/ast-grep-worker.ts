import { parentPort, workerData } from 'node:worker_threads';
import type { AstGrepMatch, AstGrepWork } from './ast-grep.ts';
import { matchRule } from './syntax-rules.ts';

const { rules, files } = workerData as AstGrepWork;

function findIn(text: string, wanted: readonly number[]): AstGrepMatch[] {
  return wanted.flatMap((index) =>
    matchRule(rules[index]!, text).map((node) => {
      const { start, end } = node.range();
      return {
        rule: index,
        startLine: start.line + 1,
        endLine: (end.line - start.line > 10 ? start.line : end.line) + 1,
      };
    }),
  );
}

parentPort!.postMessage(files.map((file) => findIn(file.text, file.rules)));
