import { CoverageReport } from './coverage-report.ts';

/** LCOV: `SF:path`, then `DA:line,hits` for each line, then `end_of_record`. */
export function readLcov(text: string): CoverageReport {
  const report = new CoverageReport();
  let path = '';
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('SF:')) path = line.slice(3).trim();
    else if (line === 'end_of_record') path = '';
    else if (line.startsWith('DA:')) {
      const [number, hits] = line.slice(3).split(',');
      report.add(path, Number(number), Number(hits) > 0);
    }
  }
  return report;
}
