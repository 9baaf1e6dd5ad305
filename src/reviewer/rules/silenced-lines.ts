import { isComment } from './weigh-in-context.ts';

/**
 * The author has told some linter to say nothing about this line; ours says nothing either. Not the list of
 * findings/tracking/suppression.ts, which is longer: there, any such comment explains why a finding went away; here, only those
 * to linters whose rules we share, because a `ts-ignore` is about types.
 */
const silencedCode =
  /\b(?:noqa|nolint|nosec|NOSONAR|ruff: *ignore|pylint: *disable|(?:eslint|oxlint)-disable|(?:biome|ast-grep|postil)-ignore|shellcheck disable)\b/i;

/** Who tells a linter to be quiet has not thought of where values come from: that takes a word about security, or ours. */
const silencedFlows = /\b(?:nosec|NOSONAR|nosemgrep|postil-ignore)\b/i;

/** Tells of a line of the text whether the author wants it left in peace, by a comment on it or before it. */
export function silencedLines(text: string, about: 'code' | 'flows' = 'code'): (line: number) => boolean {
  const silenced = about === 'flows' ? silencedFlows : silencedCode;
  if (!silenced.test(text)) return () => false;
  const lines = text.split('\n');
  return (line) => {
    const [before = '', own = ''] = [lines[line - 2], lines[line - 1]];
    return silenced.test(own) || (isComment.test(before) && silenced.test(before));
  };
}
