import { shownPath } from '../../../../redaction/shown-path.ts';
import type { Finding } from '../../../../reviewer/finding.ts';

const maxListed = 50;
/** Characters that hosts could interpret, as in mentions, references to issues, closing keywords or CI directives. */
const notPlain = /[^\p{L}\p{M}\p{N}_./+=,~-]/gu;

/** The message of a commit that fixes these findings. File names are untrusted: the author of the change chose them. */
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
