import { isCode } from '../change/file-kinds.ts';
import type { Wanted } from '../configuration/checks-shape.ts';
import { limits } from '../review-report.ts';
import {
  type ChangeCoverage,
  type CheckFacts,
  counted,
  failed,
  inconclusive,
  listed,
  type Outcome,
  passed,
  skipped,
} from './check-facts.ts';

/** Checks the percentage of added lines that tests ran, among those in a report. */
export function checkCoverage(
  { changed_lines }: Wanted<'coverage'>,
  { files, coverage, coverageFaults }: CheckFacts,
): Outcome {
  if (!files.some(({ path, added }) => added > 0 && isCode(path))) return skipped('The change adds no code.');
  if (coverageFaults.length > 0)
    return inconclusive(`A coverage report cannot be read: ${listed(coverageFaults)}.`);
  if (coverage === null) return inconclusive('There is no coverage report for this version.');
  const total = coverage.files.reduce((sum, { lines }) => sum + lines, 0);
  const asides = asidesOf(coverage);
  if (coverage.matched === 0) return inconclusive(`The report covers no file of this repository${asides}.`);
  if (total === 0 && coverage.absent.length > 0)
    return inconclusive(`The report contains none of the added lines${asides}.`);
  if (total === 0) return skipped(`None of the added lines is executable${asides}.`);
  const byGap = [...coverage.files].sort((a, b) => b.lines - b.run - (a.lines - a.run));
  const run = coverage.files.reduce((sum, file) => sum + file.run, 0);
  const percent = (run / total) * 100;
  // Rounded down, so that 79.96 is not shown as 80.
  const text = `Tests run ${Math.floor(percent * 10) / 10} % of the executable added lines (${counted(total, 'line')})`;
  const perFile = { files: byGap.slice(0, limits.coveredFiles), total_files: byGap.length };
  if (percent >= changed_lines) return { ...passed(`${text}${asides}.`), ...perFile };
  const worst = byGap
    .filter((file) => file.run < file.lines)
    .map((file) => `${file.path} (${file.lines - file.run} not run)`);
  return { ...failed(`${text}, ${changed_lines} % required: ${listed(worst)}${asides}.`), ...perFile };
}

/** Mismatches between the reports and the repository, to append to a sentence. */
function asidesOf({ matched, absent, unmatched, unread }: ChangeCoverage): string {
  return [
    ...(matched > 0 && absent.length > 0 ? [`; not in the report: ${listed(absent)}`] : []),
    ...(unmatched.length > 0 ? [`; not in this repository: ${listed(unmatched)}`] : []),
    ...(unread > 0 ? [`; ${counted(unread, 'line')} of the report cannot be read`] : []),
  ].join('');
}
