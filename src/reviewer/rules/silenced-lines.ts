import { isComment } from './weigh-in-context.ts';

/**
 * Comments by which an author silences a linter for a line; our rules respect them. The list in findings/tracking/suppression.ts
 * is longer: there, any such comment explains why a finding went away. Here, only comments for linters whose rules we share
 * count, because a `ts-ignore` is about types.
 */
const silencedCode =
  /\b(?:noqa|nolint|nosec|NOSONAR|ruff: *ignore|pylint: *disable|(?:eslint|oxlint)-disable|(?:biome|ast-grep|postil)-ignore|shellcheck disable)\b/i;

/**
 * For data flow, only comments about security, or for Postil, count: authors of others have not thought of where values come
 * from.
 */
const silencedFlows = /\b(?:nosec|NOSONAR|nosemgrep|postil-ignore)\b/i;

/** Returns a function that tells whether a comment on a line, or on the line before, silences it. */
export function silencedLines(text: string, about: 'code' | 'flows' = 'code'): (line: number) => boolean {
  const silenced = about === 'flows' ? silencedFlows : silencedCode;
  if (!silenced.test(text)) return () => false;
  const lines = text.split('\n');
  return (line) => {
    const [before = '', own = ''] = [lines[line - 2], lines[line - 1]];
    return silenced.test(own) || (isComment.test(before) && silenced.test(before));
  };
}
