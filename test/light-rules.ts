import type { AstGrepRule } from '../src/reviewer/configuration/read-ast-grep-rules.ts';
import type { RuleFinding, RuleSource } from '../src/reviewer/rule-source.ts';
import { astGrepRules } from '../src/reviewer/rules/ast-grep/ast-grep.ts';
import { findOneByOne } from '../src/reviewer/rules/find-one-by-one.ts';
import { oxlint } from '../src/reviewer/rules/oxlint/oxlint.ts';
import { oxlintTable } from '../src/reviewer/rules/oxlint/oxlint-table.ts';
import { describeFinding } from '../src/reviewer/rules/rule-facts.ts';
import { secrets } from '../src/reviewer/rules/secrets/secrets.ts';
import { text } from '../src/reviewer/rules/text/text.ts';

/** Replaces oxlint, which is started for every review, with two of its rules, for code with our formatting. */
const lightOxlint: RuleSource = {
  name: oxlint.name,
  covers: oxlint.covers,
  find: findOneByOne(({ text }) => {
    const lines = text.split('\n');
    return [
      ...unsafeFinally(lines).map((index) => finding('no-unsafe-finally', index)),
      ...comparedWithNaN(lines).map((index) => finding('use-isnan', index)),
    ];
  }),
};

function finding(rule: string, index: number): RuleFinding {
  const text = describeFinding(oxlintTable[`eslint/${rule}`]!, '');
  return { rule: `oxlint/${rule}`, startLine: index + 1, endLine: index + 1, ...text };
}

/** The indexes of lines that return from a `finally` block. */
function unsafeFinally(lines: readonly string[]): number[] {
  const starts = indexesOf(lines, /\bfinally \{$/);
  return starts.flatMap((start) => {
    const end = `${/^\s*/.exec(lines[start]!)![0]}}`;
    const block = lines.slice(start, lines.indexOf(end, start));
    return indexesOf(block, /^\s*return\b/).map((index) => start + index);
  });
}

function comparedWithNaN(lines: readonly string[]): number[] {
  return indexesOf(lines, /[!=]== NaN\b/);
}

function indexesOf(lines: readonly string[], pattern: RegExp): number[] {
  return lines.flatMap((line, index) => (pattern.test(line) ? [index] : []));
}

const comparison = /\b(\w+) === NaN\b/g;

/** Replaces oxlint, with its suggestion for comparisons with NaN. */
const fixingOxlint: RuleSource = {
  name: oxlint.name,
  covers: oxlint.covers,
  find: findOneByOne(({ text }) => {
    const lines = text.split('\n');
    return comparedWithNaN(lines).map((index) => ({
      ...finding('use-isnan', index),
      suggestion: lines[index]!.replaceAll(comparison, 'Number.isNaN($1)'),
    }));
  }),
};

/** Rule sources with suggestions that can be committed. */
export async function fixingRuleSources(): Promise<readonly RuleSource[]> {
  return [secrets, text, fixingOxlint];
}

/**
 * The rule sources for tests that are not about rules: only those that need no separate process. The others have their own tests;
 * tests of server processes check that a server uses all of them.
 */
export async function lightRuleSources(own: readonly AstGrepRule[]): Promise<readonly RuleSource[]> {
  return [secrets, text, lightOxlint, ...(own.length === 0 ? [] : [astGrepRules(own)])];
}
