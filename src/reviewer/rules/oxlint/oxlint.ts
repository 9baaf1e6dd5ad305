import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { isTest } from '../../change/file-kinds.ts';
import type { RuleFinding, RuleSource, SourceText } from '../../rule-source.ts';
import { describeFinding, firstSyntaxFault, type RuleFacts, unusedTogether } from '../rule-facts.ts';
import { runProgram } from '../run-program.ts';
import { invalidSyntax, oxlintOptions, oxlintTable } from './oxlint-table.ts';

const program = path.join(
  path.dirname(createRequire(import.meta.url).resolve('oxlint/package.json')),
  'bin/oxlint',
);
const languages = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** The configuration is passed on the command line, so that the repository's own one is never used. */
const configuration = {
  plugins: ['typescript', 'oxc', 'unicorn', 'react', 'promise', 'node', 'jest', 'vitest'],
  categories: Object.fromEntries(
    ['correctness', 'suspicious', 'pedantic', 'perf', 'style', 'restriction', 'nursery'].map((name) => [
      name,
      'off',
    ]),
  ),
  rules: Object.fromEntries(
    Object.keys(oxlintTable).map((rule) => [
      rule.replace(/^eslint\//, ''),
      rule in oxlintOptions ? ['error', oxlintOptions[rule]] : 'error',
    ]),
  ),
};

/** Rules with an obvious fix. Fixes are only requested for files with findings of these rules. */
const fixableRules: ReadonlySet<string> = new Set([
  'oxlint/double-comparisons',
  'oxlint/no-focused-tests',
  'oxlint/no-new-statics',
  'oxlint/no-unsafe-negation',
  'oxlint/use-isnan',
]);
const isFixable = ({ rule }: RuleFinding) => fixableRules.has(rule);
const maxFixed = 200;
const maxLinesShown = 10;

/** Rules for which oxlint's message repeats our text. */
const unusedMessages: ReadonlySet<string> = new Set([
  'no-async-promise-executor',
  'no-compare-neg-zero',
  'no-debugger',
  'no-empty-character-class',
  'no-eval',
  'no-focused-tests',
  'no-unsafe-finally',
  'no-unsafe-optional-chaining',
  'use-isnan',
]);

const diagnosticShape = z.object({
  message: z.string(),
  code: z.string().optional(),
  filename: z.string(),
  labels: z.array(z.object({ span: z.object({ offset: z.number(), length: z.number(), line: z.number() }) })),
});
type Diagnostic = z.output<typeof diagnosticShape>;

/** The limit of diagnostics of one rule in one file; above the number of findings that are ever kept. */
const maxOfOneRule = 1_000;

/**
 * Parses the report line by line: oxlint writes one diagnostic per line, and the report on a hostile file is larger than memory.
 */
function readDiagnostics() {
  const byFile = new Map<string, Diagnostic[]>();
  const counts = new Map<string, number>();
  let hasBegun = false;
  return {
    onLine(line: string) {
      hasBegun ||= line.startsWith('{ "diagnostics":');
      const start = line.indexOf('{"message":');
      if (!hasBegun || start === -1) return;
      const text = line.slice(start).replace(/,\s*$|\],?\s*$/, '');
      const diagnostic = diagnosticShape.parse(JSON.parse(text));
      const key = `${diagnostic.filename}\0${diagnostic.code}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count > maxOfOneRule) return;
      const own = byFile.get(diagnostic.filename);
      if (own === undefined) byFile.set(diagnostic.filename, [diagnostic]);
      else own.push(diagnostic);
    },
    /** Undefined if there was no report. */
    diagnosticsByFile: () => (hasBegun ? byFile : undefined),
  };
}

/** Rules for JavaScript and TypeScript, by oxlint. It runs on copies of the files in a temporary folder. */
export const oxlint: RuleSource = {
  name: 'oxlint',
  isProgram: true,
  covers: (name) => languages.test(name) && !/\.min\.[cm]?js$/.test(name),
  async find(files, signal) {
    const folder = await mkdtemp(path.join(tmpdir(), 'postil-oxlint-'));
    try {
      const names = await layOut(folder, files);
      const args = [program, '-c', 'configuration.json', '--disable-nested-config', '--no-ignore'];
      const reading = readDiagnostics();
      const { errors } = await runProgram(process.execPath, [...args, '-f', 'json', 'files'], {
        folder,
        signal,
        onLine: reading.onLine,
      });
      const found = reading.diagnosticsByFile();
      if (found === undefined) throw new Error(`oxlint failed: ${errors.slice(0, 300) || 'it said nothing'}`);
      const findings = names.map((name, index) =>
        firstSyntaxFault(
          unusedTogether(
            findingsOf(found.get(name) ?? [], files[index]!),
            'oxlint/no-unused-vars',
            oxlintTable['eslint/no-unused-vars']![3],
          ),
          'oxlint/syntax',
        ),
      );
      const fixable = names.filter((_, index) => findings[index]!.some(isFixable)).slice(0, maxFixed);
      if (fixable.length === 0) return findings;
      await runProgram(process.execPath, [...args, '--fix', ...fixable], { folder, signal });
      const fixed = new Map<string, string>();
      for (const name of fixable) fixed.set(name, await readFile(path.join(folder, name), 'utf8'));
      return findings.map((list, index) => withSuggestions(list, files[index]!, fixed.get(names[index]!)));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Writes the files under generated names, so that no name from the repository becomes a path here. */
async function layOut(folder: string, files: readonly SourceText[]): Promise<string[]> {
  await mkdir(path.join(folder, 'files'));
  await writeFile(path.join(folder, 'configuration.json'), JSON.stringify(configuration));
  const names: string[] = [];
  for (const [index, file] of files.entries()) {
    // The extension determines the language, and tells some rules that a file is a test.
    const ending = /(?:\.(?:test|spec))?\.[a-z]+$/.exec(file.path)?.[0] ?? '.js';
    const name = `files/${index}${ending}`;
    names.push(name);
    await writeFile(path.join(folder, name), file.text);
  }
  return names;
}

/** A syntax error is a diagnostic without a rule. Files with Flow types are skipped, since these are no JavaScript. */
function factsOf(rule: string | undefined, text: string): RuleFacts | undefined {
  if (rule !== undefined) return oxlintTable[rule];
  return text.includes('@flow') ? undefined : invalidSyntax;
}

function findingsOf(diagnostics: readonly Diagnostic[], file: SourceText): RuleFinding[] {
  if (diagnostics.length === 0) return [];
  const examinee = { ...file, lines: file.text.split('\n'), bytes: Buffer.from(file.text) };
  return diagnostics.flatMap((diagnostic) => toFinding(diagnostic, examinee));
}

function toFinding(
  diagnostic: Diagnostic,
  { path: name, text, lines, bytes }: SourceText & { lines: readonly string[]; bytes: Buffer },
): RuleFinding[] {
  const [, scope, rule] = /^([\w-]+)\(([\w-]+)\)$/.exec(diagnostic.code ?? '') ?? [];
  const plugin = scope?.replace(/^eslint-plugin-/, '').replace(/^typescript-eslint$/, 'typescript');
  const facts = factsOf(diagnostic.code && `${plugin}/${rule}`, text);
  const span = diagnostic.labels[0]?.span;
  if (facts === undefined || span === undefined) return [];
  // In tests, unused names are harmless, and an exception makes the test fail, as it should.
  if (isTest(name) && (rule === 'no-unused-vars' || rule === 'no-unsafe-optional-chaining')) return [];
  // Declarations are for other files to use.
  if (rule === 'no-unused-vars' && /\.d\.[cm]?ts$/.test(name)) return [];
  if (rule === 'no-unused-vars' && isForPages(name, text, lines[span.line - 1] ?? '')) return [];
  if (rule === 'no-unused-vars' && isNamedInTags(text, diagnostic.message)) return [];
  if (rule === 'no-unused-vars' && isDeclaredForOthers(lines, span.line)) return [];
  if (rule === 'no-unexpected-multiline' && isContinuation(lines, span.line)) return [];
  if (isIntended(rule, lines[span.line - 1] ?? '', textAfter(bytes, span))) return [];
  // A build replaces such a constant.
  if (rule === 'no-constant-binary-expression' && /["'`]__\w+__["'`]/.test(lines[span.line - 1] ?? ''))
    return [];
  const endLine = span.line + lineFeedsIn(bytes, span);
  return [
    {
      rule: `oxlint/${rule ?? 'syntax'}`,
      startLine: span.line,
      // A finding about a whole block is shown at its beginning.
      endLine: endLine - span.line > maxLinesShown ? span.line : endLine,
      ...describeFinding(facts, unusedMessages.has(rule ?? '') ? '' : withCode(diagnostic.message)),
    },
  ];
}

/** Whether an unused import is named in a documentation comment: it is imported for the link. */
function isNamedInTags(text: string, message: string): boolean {
  const name = /'([\w$]+)' is imported/.exec(message)?.[1];
  if (name === undefined) return false;
  return new RegExp(`^\\s*/?\\*.*[{@].*\\b${RegExp.escape(name)}\\b`, 'm').test(text);
}

/** Whether a line is in a declared namespace, module or global scope: its members are for other files to use. */
function isDeclaredForOthers(lines: readonly string[], line: number): boolean {
  const indentOf = (text: string) => /^\s*/.exec(text)![0].length;
  const indent = indentOf(lines[line - 1] ?? '');
  const around = lines.slice(0, line - 1).findLast((text) => text.trim() !== '' && indentOf(text) < indent);
  return /^\s*(?:export\s+)?declare\s+(?:namespace|module|global)\b/.test(around ?? '');
}

/**
 * Whether a line continues an expression on purpose: it is indented deeper, or the line before begins with a dot. After a
 * forgotten semicolon, neither is the case.
 */
function isContinuation(lines: readonly string[], line: number): boolean {
  const [before, own] = [lines[line - 2] ?? '', lines[line - 1] ?? ''];
  const depthOf = (text: string) => /^\s*/.exec(text)![0].replaceAll('\t', '    ').length;
  return depthOf(own) > depthOf(before) || /^\s*\??\./.test(before);
}

/**
 * Whether code is meant as written: a comparison with itself tests for NaN, and conditions, mostly of loops, often store and test
 * the result of a call at once.
 */
function isIntended(rule: string | undefined, line: string, after: string): boolean {
  if (rule === 'no-self-compare') return /(?<![\w$.])([\w$]+)\s*[!=]==?\s*\1(?![\w$.([])/.test(line);
  // The span is the equals sign: what follows is the stored value.
  return rule === 'no-cond-assign' && (/\bwhile\b/.test(line) || /^[^();]*\(/.test(after));
}

/** The beginning of what follows a span; oxlint counts in bytes. */
function textAfter(bytes: Buffer, { offset, length }: { offset: number; length: number }): string {
  return bytes.toString('utf8', offset + length, offset + length + 200);
}

/** Whether a line is a top-level declaration in a script that is no module: pages and other scripts may use it. */
function isForPages(name: string, text: string, line: string): boolean {
  const isScript =
    name.endsWith('.js') && !/^\s*(?:import|export)\b|\brequire\(|\bmodule\.exports\b/m.test(text);
  return isScript && /^(?:async function|function|class|var|let|const)\b/.test(line);
}

/** Formats the names that oxlint quotes as code, and removes its hint at allowed names, which comes from our options. */
function withCode(message: string): string {
  return message.replace(/ Unused \w+ should match \/.*$/s, '').replaceAll(/'([\w$.#-]+)'/g, '`$1`');
}

/** The number of line breaks in a span, without blank lines at its end. Stops counting after `maxLinesShown`. */
function lineFeedsIn(bytes: Buffer, { offset, length }: { offset: number; length: number }): number {
  const end = offset + length;
  let [count, pending] = [0, 0];
  for (let index = offset; index < end && count <= maxLinesShown; index += 1) {
    const byte = bytes[index]!;
    if (byte === 10) pending += 1;
    else if (byte > 32) {
      count += pending;
      pending = 0;
    }
  }
  return count;
}

/**
 * Adds the fixed lines of a finding as its suggestion, if the fixes kept the number of lines, and no other finding is on these
 * lines.
 */
function withSuggestions(
  findings: readonly RuleFinding[],
  { text }: SourceText,
  fixedText: string | undefined,
): readonly RuleFinding[] {
  const lines = text.split('\n');
  const fixed = fixedText?.split('\n');
  if (fixed === undefined || fixed.length !== lines.length) return findings;
  const raisedOn = new Map<number, number>();
  const linesOf = ({ startLine, endLine }: RuleFinding) =>
    Array.from({ length: endLine - startLine + 1 }, (_, index) => startLine + index);
  for (const line of findings.flatMap(linesOf)) raisedOn.set(line, (raisedOn.get(line) ?? 0) + 1);
  return findings.map((finding) => {
    const { startLine, endLine } = finding;
    const isAlone = linesOf(finding).every((line) => raisedOn.get(line) === 1);
    const [now, then] = [lines, fixed].map((version) => version.slice(startLine - 1, endLine).join('\n'));
    const suggestion =
      isFixable(finding) && isAlone && then !== now ? suggestionFor(finding, now!, then!) : null;
    return suggestion === null ? finding : { ...finding, suggestion };
  });
}

const globalIsNaN = /(?<![\w$.])isNaN(?=\()/g;

/**
 * oxlint's fix uses the global `isNaN`, which is also true for strings. Our text recommends `Number.isNaN`, so the suggestion
 * uses it; null if the line already has a global `isNaN`.
 */
function suggestionFor({ rule }: RuleFinding, now: string, then: string): string | null {
  if (rule !== 'oxlint/use-isnan') return then;
  return now.search(globalIsNaN) === -1 ? then.replaceAll(globalIsNaN, 'Number.isNaN') : null;
}
