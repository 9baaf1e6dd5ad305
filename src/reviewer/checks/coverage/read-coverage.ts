import { CoverageError, type CoverageFormat, type CoverageReport } from './coverage-report.ts';
import { readCobertura } from './read-cobertura.ts';
import { readGoProfile } from './read-go-profile.ts';
import { readJacoco } from './read-jacoco.ts';
import { readLcov } from './read-lcov.ts';

const readers: Record<CoverageFormat, (text: string) => CoverageReport> = {
  lcov: readLcov,
  cobertura: readCobertura,
  jacoco: readJacoco,
  go: readGoProfile,
};

/** Detects the format of a report from its beginning; undefined if it is unknown. */
export function formatOf(text: string): CoverageFormat | undefined {
  const start = text.slice(0, 4_000);
  if (/^\uFEFF?mode: (?:set|count|atomic)\s/.test(start)) return 'go';
  if (/^\s*(?:\uFEFF)?</.test(start)) {
    if (/<coverage[\s>]/.test(start)) return 'cobertura';
    return /<report[\s>]/.test(start) ? 'jacoco' : undefined;
  }
  return /^(?:TN|SF):/m.test(start) ? 'lcov' : undefined;
}

/** Parses a report; throws a `CoverageError` if it is invalid or empty. */
export function readCoverage(text: string, format: CoverageFormat): CoverageReport {
  const report = readers[format](text);
  if (report.files.size === 0) throw new CoverageError(`it contains no line in the format ${format}`);
  return report;
}
