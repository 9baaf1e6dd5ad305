import { CoverageReport } from './coverage-report.ts';

const block = /^(.+):(\d+)\.(\d+),(\d+)\.(\d+) (\d+) (\d+)$/;
const otherLine = /^(?:mode: |\s*$)/;
/** The maximum length of a block in lines. No real function is longer; this bounds the work for a malicious report. */
const maxLines = 100_000;

/** Parses a profile of `go test -coverprofile`: `package/file.go:from.column,to.column statements hits` for each block. */
export function readGoProfile(text: string): CoverageReport {
  const report = new CoverageReport();
  for (const line of text.split(/\r?\n/)) {
    const [, path = '', from, , to, toColumn, statements, hits] = block.exec(line) ?? [];
    if (from === undefined && !otherLine.test(line)) report.unread += 1;
    if (from === undefined || Number(statements) === 0) continue;
    // A block that ends in the first two columns has only its closing brace on that line.
    const last = Number(toColumn) <= 2 ? Math.max(Number(to) - 1, Number(from)) : Number(to);
    for (let number = Number(from); number <= Math.min(last, Number(from) + maxLines); number += 1)
      report.add(path, String(number), hits);
  }
  return report;
}
