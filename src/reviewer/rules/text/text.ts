import { isTest } from '../../change/file-kinds.ts';
import type { RuleFinding, RuleSource, SourceText } from '../../rule-source.ts';
import { findOneByOne } from '../find-one-by-one.ts';
import type { RuleExamples } from '../rule-examples.ts';
import { correctness, describeFinding, type RuleFacts, security } from '../rule-facts.ts';
import { harm } from '../severity-table.ts';
import { faultInJson, repeatedKeyInJson } from './json-fault.ts';
import type { TextFault } from './text-fault.ts';
import { faultInYaml } from './yaml-fault.ts';

// biome-ignore format: one row per rule
export const textTable = {
  conflict: [harm.broken, correctness, 'Merge conflict markers', 'Both versions are in the file, with the conflict markers of Git between them. Resolve the conflict.'],
  bidirectional: [harm.unprotected, security, 'Invisible characters that reorder the displayed text', 'The code that runs is not the code that reviewers see.', 'CWE-1007'],
  json: [harm.unreadable, correctness, 'Invalid JSON', 'Programs that read the file fail.'],
  'json-key': [harm.lost, correctness, 'Duplicate key', 'Only one of the values is used, in most programs the last one.'],
  yaml: [harm.unreadable, correctness, 'Invalid YAML', 'Programs that read the file fail, or read something other than intended.'],
} as const satisfies Record<string, RuleFacts>;

const fileOf = (path: string, fails: string, passes: string) => ({ path, fails, passes });

export const textExamples: RuleExamples<typeof textTable> = {
  conflict: fileOf(
    'Makefile',
    'all:\n<<<<<<< HEAD\n\tmake one\n=======\n\tmake two\n>>>>>>> other\n',
    'all:\n\tmake one two\n',
  ),
  bidirectional: fileOf('access.c', 'if (isAdmin) { /*\u202e } \u2066 */\n', 'if (isAdmin) { /* } */\n'),
  json: fileOf(
    'settings.json',
    '{\n  "port": 80\n  "host": "a"\n}\n',
    '{\n  "port": 80,\n  "host": "a"\n}\n',
  ),
  'json-key': fileOf('settings.json', '{ "port": 80, "port": 81 }\n', '{ "port": 80, "tls_port": 81 }\n'),
  yaml: fileOf('settings.yaml', 'ports: [80, 81\nhost: a\n', 'ports: [80, 81]\nhost: a\n'),
};

/** Languages whose parsers report conflict markers themselves. */
const parsedLanguages = /\.(?:[cm]?[jt]sx?|pyi?)$/;
/** Files in which right-to-left text for people is normal. */
const proseOrData =
  /\.(?:md|mdx|rst|adoc|txt|html?|json|ya?ml|po|pot|properties|strings|xml|csv|arb|resx|xlf|svg)$/i;
const reordering = /[\u202a-\u202e\u2066-\u2069]/;
/** Left-to-right text in an isolate, which reorders nothing. */
const setApart = /\u2066[^\u0590-\u08ff\u202a-\u202e\u2066-\u2069]*\u2069/g;

/** Rules for any file: conflict markers, characters that reorder text, and files that no program can parse. */
export const text: RuleSource = {
  name: 'text',
  isGeneral: true,
  covers: () => true,
  find: findOneByOne(findIn),
};

function findIn(file: SourceText): RuleFinding[] {
  const conflict = parsedLanguages.test(file.path) || isTest(file.path) ? undefined : conflictIn(file);
  // Any other fault is caused by the conflict.
  if (conflict !== undefined) return [toFinding('conflict', conflict)];
  const [json, key, yaml] = [faultInJson(file), repeatedKeyInJson(file), faultInYaml(file)];
  return [
    ...(json === undefined ? [] : [toFinding('json', json)]),
    ...(key === undefined ? [] : [toFinding('json-key', key)]),
    ...(yaml === undefined ? [] : [toFinding('yaml', yaml)]),
    ...reorderedIn(file).map((fault) => toFinding('bidirectional', fault)),
  ];
}

function toFinding(rule: keyof typeof textTable, { line, message }: TextFault): RuleFinding {
  return {
    rule: `text/${rule}`,
    startLine: line,
    endLine: line,
    ...describeFinding(textTable[rule], message),
  };
}

/** Finds all three markers of a conflict, in order, outside of code blocks in Markdown. */
function conflictIn({ path, text }: SourceText): TextFault | undefined {
  if (!text.includes('<<<<<<< ')) return undefined;
  const isMarkdown = /\.mdx?$/i.test(path);
  let isExample = false;
  let begun: number | undefined;
  let isDivided = false;
  for (const [index, line] of text.split('\n').entries()) {
    if (isMarkdown && /^\s*(?:```|~~~)/.test(line)) isExample = !isExample;
    if (isExample) continue;
    if (/^<{7} \S/.test(line)) begun ??= index + 1;
    else if (begun !== undefined && /^={7}\r?$/.test(line)) isDivided = true;
    else if (begun !== undefined && isDivided && /^>{7} \S/.test(line)) return { line: begun, message: '' };
  }
  return undefined;
}

function reorderedIn({ path, text }: SourceText): TextFault[] {
  // In Python, Ruff reports them.
  if (!reordering.test(text) || proseOrData.test(path) || path.endsWith('.py') || isTest(path)) return [];
  return text
    .split('\n')
    .flatMap((line, index) =>
      reordering.test(line.replaceAll(setApart, '')) ? [{ line: index + 1, message: '' }] : [],
    );
}
