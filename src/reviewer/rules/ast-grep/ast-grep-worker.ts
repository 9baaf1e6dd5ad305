import { answerOnce } from '../run-in-process.ts';
import type { AstGrepMatch, AstGrepWork } from './ast-grep.ts';
import type { AstGrepRule } from './read-rules.ts';
import { matcherFor } from './syntax-rules.ts';

function findIn(rules: readonly AstGrepRule[], text: string, wanted: readonly number[]): AstGrepMatch[] {
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

answerOnce(({ rules, files }: AstGrepWork) => files.map((file) => findIn(rules, file.text, file.rules)));
