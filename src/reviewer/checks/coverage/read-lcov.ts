import { CoverageReport } from './coverage-report.ts';

/** Valid lines that are not needed, such as records for functions and branches (`FN:`, `BRDA:`), and `#` comments. */
const otherLine = /^(?:[A-Z][A-Z0-9]*:|#|\s*$)/;

/** Parses LCOV: `SF:path`, then `DA:line,hits` for each line, then `end_of_record`. */
export function readLcov(text: string): CoverageReport {
  const report = new CoverageReport();
  let path = '';
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('SF:')) path = line.slice(3).trim();
    else if (line.trimEnd() === 'end_of_record') path = '';
    else if (line.startsWith('DA:')) {
      const [number, hits] = line.slice(3).split(',');
      report.add(path, number, hits);
    } else if (!otherLine.test(line)) report.unread += 1;
  }
  return report;
}
