import { shownPath } from '../../../../redaction/shown-path.ts';
import type { Finding } from '../../../../reviewer/finding.ts';

const maxListed = 50;
/** Whatever hosts take for more than a name: mentions, issues, words that close them, words to their builds. */
const notPlain = /[^\p{L}\p{M}\p{N}_./+=,~-]/gu;

/** What the commit says about the findings that it fixes. Names of files were chosen by whoever made the change. */
export function messageOf(findings: readonly Pick<Finding, 'path' | 'startLine' | 'source'>[]): string {
  const count = findings.length === 1 ? '1 suggestion' : `${findings.length} suggestions`;
  const lines = findings
    .slice(0, maxListed)
    .map(
      ({ path, startLine, source }) =>
        `- ${shownPath(path).replaceAll(notPlain, '?')}:${startLine} ${source.name}`,
    );
  const rest = findings.length - lines.length;
  return [
    `fix: apply ${count} of the review`,
    '',
    ...lines,
    ...(rest > 0 ? [`- and ${rest} more`] : []),
    '',
  ].join('\n');
}
