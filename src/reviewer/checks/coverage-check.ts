import { isCode } from '../change/file-kinds.ts';
import type { Wanted } from '../configuration/checks-shape.ts';
import { limits } from '../review-report.ts';
import {
  type CheckFacts,
  counted,
  failed,
  inconclusive,
  listed,
  type Outcome,
  passed,
  skipped,
} from './check-facts.ts';

/** Per cent of the added lines that a report knows of and tests ran. */
export function checkCoverage(
  { changed_lines }: Wanted<'coverage'>,
  { files, coverage, coverageFaults }: CheckFacts,
): Outcome {
  if (!files.some(({ path, added }) => added > 0 && isCode(path))) return skipped('The change adds no code.');
  if (coverageFaults.length > 0)
    return inconclusive(`A coverage report cannot be read: ${listed(coverageFaults)}.`);
  if (coverage === null) return inconclusive('There is no coverage report for this version.');
  const total = coverage.files.reduce((sum, { lines }) => sum + lines, 0);
  if (total === 0) {
    const unmatched =
      coverage.unmatched.length === 0 ? '' : ` Paths in it that are not here: ${listed(coverage.unmatched)}.`;
    return coverage.matched === 0
      ? inconclusive(`The report is about none of the files of this repository.${unmatched}`)
      : skipped('None of the added lines is one that tests could run.');
  }
  const byGap = [...coverage.files].sort((a, b) => b.lines - b.run - (a.lines - a.run));
  const run = coverage.files.reduce((sum, file) => sum + file.run, 0);
  const percent = (run / total) * 100;
  // Rounded down, so that 79.96 is not said to be 80.
  const text = `${Math.floor(percent * 10) / 10} % of ${counted(total, 'added line')} that can be run are run by tests`;
  const elsewhere =
    coverage.unmatched.length === 0 ? '' : `; not in this repository: ${listed(coverage.unmatched)}`;
  const perFile = { files: byGap.slice(0, limits.coveredFiles), total_files: byGap.length };
  if (percent >= changed_lines) return { ...passed(`${text}${elsewhere}.`), ...perFile };
  const worst = byGap
    .filter((file) => file.run < file.lines)
    .map((file) => `${file.path} (${file.lines - file.run} not run)`);
  return { ...failed(`${text}, ${changed_lines} % wanted: ${listed(worst)}${elsewhere}.`), ...perFile };
}
