import { shownPath } from '../../redaction/shown-path.ts';
import type { Finding } from '../../reviewer/finding.ts';
import { withoutQuiet } from '../../reviewer/judge/attention.ts';
import type { ReviewResult } from '../../reviewer/review/review-result.ts';

const commands: Record<Finding['severity'], string> = {
  critical: 'error',
  major: 'error',
  minor: 'warning',
  trivial: 'notice',
  info: 'notice',
};

const message = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string) => message(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** The text of an annotation, including related places, which annotations do not show otherwise. */
function saidBy({ body, source, rules, related }: Finding): string {
  const places = related.map(({ path, startLine, text }) => `${shownPath(path)}:${startLine} ${text}`.trim());
  return [`${body} (${rules.length > 0 ? rules.join(', ') : source.name})`, ...places].join('\n');
}

/** The findings as workflow commands, which GitHub Actions shows as annotations on the lines. */
export function formatGitHub({ findings, overflow, quiet = [], report, reason }: ReviewResult): string {
  const annotations = withoutQuiet([...findings, ...overflow], quiet).map((finding) => {
    const lines =
      finding.side === 'new' && finding.startLine !== null
        ? `,line=${finding.startLine},endLine=${finding.endLine}`
        : '';
    const place = `file=${property(finding.path)}${lines},title=${property(finding.title)}`;
    return `::${commands[finding.severity]} ${place}::${message(saidBy(finding))}`;
  });
  const checks = (report?.checks ?? [])
    .filter(({ verdict }) => verdict === 'failed' || verdict === 'inconclusive')
    .map(({ name, verdict, mode, text }) => {
      const command = verdict === 'failed' ? mode : 'warning';
      return `::${command} title=${property(`Check ${name}: ${verdict}`)}::${message(text)}`;
    });
  const warning =
    reason === null ? [] : [`::warning title=Not everything could be reviewed::${message(reason)}`];
  return [...annotations, ...checks, ...warning].join('\n');
}
