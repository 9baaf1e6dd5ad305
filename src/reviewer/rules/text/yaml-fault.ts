import { LineCounter, parseAllDocuments } from 'yaml';
import type { SourceText } from '../../rule-source.ts';
import type { TextFault } from './text-fault.ts';

/** Signs of a template, such as of Helm or Ansible, which is no YAML until it is filled in. */
const template = /\{\{|\{%|<%|\$\{[A-Z]/;
/** Parsing a larger file would block the process. */
const maxLength = 100_000;
/** Errors that every parser reports, or that silently change the meaning. */
const certain: ReadonlySet<string> = new Set([
  'BAD_INDENT',
  'BLOCK_AS_IMPLICIT_KEY',
  'BLOCK_IN_FLOW',
  'DUPLICATE_KEY',
  'MISSING_CHAR',
  'TAB_AS_INDENT',
  'UNEXPECTED_TOKEN',
]);

/** GitHub parses them as they are: the expressions in them are no template. */
const workflow = /^\.github\/workflows\//;

/** Why a file is not valid YAML, or has another meaning than it seems. The linter of workflows skips those that are not valid. */
export function faultInYaml({ path, text }: SourceText): TextFault | undefined {
  if (!/\.ya?ml$/i.test(path) || text.length > maxLength) return undefined;
  if (template.test(text) && !workflow.test(path)) return undefined;
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  for (const { errors } of documents)
    for (const { code, pos, message } of errors) {
      const isMerge = code === 'DUPLICATE_KEY' && text.startsWith('<<', pos[0]);
      if (certain.has(code) && !isMerge)
        return { line: lines.linePos(pos[0]).line, message: message.slice(0, 200) };
    }
  return undefined;
}
