import type { Change } from '../change/change.ts';
import type { ChangeSource } from '../change/change-source.ts';
import type { Workplace } from '../process/part.ts';
import { countLines } from '../report/areas.ts';
import { titlesBetween } from '../repository/history.ts';
import { openTree } from '../repository/tree-view.ts';
import type { ChangeCoverage, CheckFacts } from './check-facts.ts';
import { CoverageError, type CoverageReport } from './coverage/coverage-report.ts';
import { joinReports } from './coverage/match-paths.ts';
import { type CoverageFormat, readCoverage } from './coverage/read-coverage.ts';

/** A coverage report as somebody sent it. */
export interface SentReport {
  /** For people. */
  readonly name: string;
  readonly format: CoverageFormat;
  readonly text: string;
}

export interface FactsRequest {
  readonly change: ChangeSource;
  readonly reports: readonly SentReport[];
}

const historyMs = 10_000;
const maxUnmatched = 20;

/** Finds out what checks decide by, as far as the change and its repository tell it. */
export async function work(
  { change: source, reports }: FactsRequest,
  place: Workplace,
): Promise<Pick<CheckFacts, 'files' | 'commits' | 'coverage' | 'coverageFaults'>> {
  const change = await place.openChange(source);
  const files = change.files.map((file) => ({
    path: file.path,
    isDeleted: file.kind === 'deleted',
    ...countLines(file),
  }));
  const commits =
    source.kind === 'commits'
      ? await titlesBetween(source.repository, source.base, source.head ?? 'HEAD', historyMs)
      : [];
  const { read, faults } = readReports(reports);
  const coverage = read.length === 0 ? null : await coverageOf(change, source, read);
  return { files, commits, coverage, coverageFaults: faults };
}

function readReports(reports: readonly SentReport[]) {
  const read: CoverageReport[] = [];
  const faults: string[] = [];
  for (const { name, format, text } of reports)
    try {
      read.push(readCoverage(text, format));
    } catch (error) {
      if (!(error instanceof CoverageError)) throw error;
      faults.push(`${name}: ${error.message}`);
    }
  return { read, faults };
}

async function coverageOf(
  { files }: Change,
  source: ChangeSource,
  reports: readonly CoverageReport[],
): Promise<ChangeCoverage> {
  const tree = source.kind === 'commits' ? openTree(source.repository, source.head) : undefined;
  const paths = (await tree?.paths()) ?? files.map(({ path }) => path);
  await tree?.close();
  const known = joinReports(reports, paths);
  return {
    files: files.flatMap(({ path, addedLines }) => {
      const lines = known.files.get(path);
      const seen = lines === undefined ? [] : [...addedLines].filter((line) => lines.has(line));
      return seen.length === 0
        ? []
        : [{ path, lines: seen.length, run: seen.filter((line) => lines!.get(line)).length }];
    }),
    matched: known.files.size,
    unmatched: known.unmatched.slice(0, maxUnmatched),
  };
}
