import { LineCounter, parseAllDocuments } from 'yaml';
import type { SourceText } from '../../rule-source.ts';
import type { TextFault } from './text-fault.ts';

/** Templates of YAML, as of Helm or Ansible, are no YAML before they are filled in. */
const template = /\{\{|\{%|<%|\$\{[A-Z]/;
/** Reading a large one would keep the process from everything else. */
const maxLength = 100_000;
/** What every parser refuses, or silently reads as something else. */
const certain: ReadonlySet<string> = new Set([
  'BAD_INDENT',
  'BLOCK_AS_IMPLICIT_KEY',
  'BLOCK_IN_FLOW',
  'DUPLICATE_KEY',
  'MISSING_CHAR',
  'TAB_AS_INDENT',
  'UNEXPECTED_TOKEN',
]);

/** Why a file cannot be read as YAML, or reads otherwise than it seems. actionlint looks at workflows. */
export function faultInYaml({ path, text }: SourceText): TextFault | undefined {
  if (!/\.ya?ml$/i.test(path) || text.length > maxLength || template.test(text)) return undefined;
  if (/^\.github\/workflows\//.test(path)) return undefined;
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
