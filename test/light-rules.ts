import type { AstGrepRule } from '../src/reviewer/configuration/read-ast-grep-rules.ts';
import type { RuleFinding, RuleSource } from '../src/reviewer/rule-source.ts';
import { astGrepRules } from '../src/reviewer/rules/ast-grep/ast-grep.ts';
import { findOneByOne } from '../src/reviewer/rules/find-one-by-one.ts';
import { oxlint } from '../src/reviewer/rules/oxlint/oxlint.ts';
import { oxlintTable } from '../src/reviewer/rules/oxlint/oxlint-table.ts';
import { describeFinding } from '../src/reviewer/rules/rule-facts.ts';
import { secrets } from '../src/reviewer/rules/secrets/secrets.ts';
import { text } from '../src/reviewer/rules/text/text.ts';

/** In place of oxlint, which is started for every review: two of its rules, about code that is formatted like ours. */
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

/** Lines that return from a `finally` block. */
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

/** In place of oxlint, with what it suggests instead of comparing with NaN. */
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

/** Those that suggest something that can be committed. */
export async function fixingRuleSources(): Promise<readonly RuleSource[]> {
  return [secrets, text, fixingOxlint];
}

/**
 * The rules of reviews in tests that are not about rules: sources that need no process of their own. The others have tests
 * of their own; that a server uses all of them is tested where it runs as a process.
 */
export async function lightRuleSources(own: readonly AstGrepRule[]): Promise<readonly RuleSource[]> {
  return [secrets, text, lightOxlint, ...(own.length === 0 ? [] : [astGrepRules(own)])];
}
