import type { AstGrepRule } from '../../configuration/read-ast-grep-rules.ts';
import { matcherFor } from './syntax-rules.ts';

export interface AstGrepMatch {
  readonly rule: number;
  readonly startLine: number;
  readonly endLine: number;
}

/** Finds the lines where the wanted rules match in a text. A long match counts as its first line. */
export function findMatches(
  rules: readonly AstGrepRule[],
  text: string,
  wanted: readonly number[],
): AstGrepMatch[] {
  const match = matcherFor(text);
  return wanted.flatMap((index) =>
    match(rules[index]!).map((node) => {
      const { start, end } = node.range();
      return {
        rule: index,
        startLine: start.line + 1,
        endLine: (end.line - start.line > 10 ? start.line : end.line) + 1,
      };
    }),
  );
}
