import type { CheckVerdict } from '../../../reviewer/review-report.ts';
import { isOverridden, namesOf } from './check-status.ts';
import { asCode, safeLine } from './safe-text.ts';

/** How many verdicts are listed; the others are in the review itself. */
const maxLines = 15;
const maxLineLength = 180;
/** How many files are listed with their test coverage. */
const maxFiles = 5;
const maxPathLength = 100;

const words: Readonly<Record<CheckVerdict['verdict'], string>> = {
  failed: 'failed',
  inconclusive: 'inconclusive',
  passed: 'passed',
  skipped: 'nothing to check',
};

/** All verdicts in Markdown, those that need attention first; empty if there are none. */
export function describeChecks(verdicts: readonly CheckVerdict[], repositoryUrl: string): string {
  const rank = ({ verdict, mode }: CheckVerdict) =>
    (verdict === 'failed' ? 0 : verdict === 'inconclusive' ? 2 : 4) + (mode === 'error' ? 0 : 1);
  const worst = verdicts.filter((check) => rank(check) < 4).sort((a, b) => rank(a) - rank(b));
  const overridden = verdicts.filter(isOverridden);
  const rest = verdicts.filter((check) => rank(check) >= 4 && !isOverridden(check));
  const lines = worst.slice(0, maxLines).map(({ name, verdict, mode, text }) => {
    const how = mode === 'warning' ? `${words[verdict]} (warning)` : words[verdict];
    return `- **${name}** ${how}: ${safeLine(text, repositoryUrl, maxLineLength)}`;
  });
  if (worst.length > maxLines) lines.push(`- and ${worst.length - maxLines} more`);
  for (const { name, overridden: decided } of overridden) {
    const said = `overridden by ${decided!.by}: ${decided!.reason}`;
    lines.push(`- **${name}** ${safeLine(said, repositoryUrl, maxLineLength)}`);
  }
  for (const verdict of ['passed', 'skipped'] as const) {
    const these = rest.filter((check) => check.verdict === verdict);
    if (these.length > 0) lines.push(`- ${words[verdict]}: ${namesOf(these)}`);
  }
  for (const { files = [], total_files = 0 } of verdicts) {
    for (const { path, lines: all, run } of files.slice(0, maxFiles))
      lines.push(
        `  - ${asCode(path.slice(-maxPathLength))}: tests run ${run} of ${all} executable added lines`,
      );
    const more = total_files - Math.min(files.length, maxFiles);
    if (more > 0) lines.push(`  - and ${more} more ${more === 1 ? 'file' : 'files'}`);
  }
  return lines.join('\n');
}
