import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip as gunzipBytes } from 'node:zlib';
import type { Change } from '../change/change.ts';
import type { ChangeSource } from '../change/change-source.ts';
import { isCode } from '../change/file-kinds.ts';
import type { Workplace } from '../process/part.ts';
import { countLines } from '../report/areas.ts';
import { titlesBetween } from '../repository/history.ts';
import { findOwners } from '../repository/owners/find-owners.ts';
import { type OwnersDialect, ownersFiles, readOwnersFile } from '../repository/owners/owners.ts';
import type { RepositoryPlace } from '../repository/repository.ts';
import { openTree } from '../repository/tree-view.ts';
import { type ChangeCoverage, type CheckFacts, counted, type OwnedFiles } from './check-facts.ts';
import { CoverageError, type CoverageFormat, type CoverageReport } from './coverage/coverage-report.ts';
import { joinReports } from './coverage/match-paths.ts';
import { readCoverage } from './coverage/read-coverage.ts';

/** A coverage report as somebody sent it. */
export interface SentReport {
  /** The name in messages. */
  readonly name: string;
  readonly format: CoverageFormat;
  /** The report itself, or the path of a gzip file with it. */
  readonly text: string | { readonly gzip: string };
}

export interface FactsRequest {
  readonly change: ChangeSource;
  readonly reports: readonly SentReport[];
  /** The dialect of CODEOWNERS, and the commit to read it from; null if no check needs owners. */
  readonly owners: { readonly dialect: OwnersDialect; readonly revision: string } | null;
}

const gunzip = promisify(gunzipBytes);
const historyMs = 10_000;
const maxNamed = 20;
const maxOwnedPaths = 3;

/** Collects the facts for checks that come from the change and its repository. */
export async function work(
  { change: source, reports, owners }: FactsRequest,
  place: Workplace,
): Promise<Pick<CheckFacts, 'files' | 'commits' | 'owned' | 'coverage' | 'coverageFaults'>> {
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
  const { read, faults } = await readReports(reports);
  const coverage = read.length === 0 ? null : await coverageOf(change, source, read);
  const owned =
    owners === null || source.kind !== 'commits' ? null : await readOwned(change, source.repository, owners);
  return { files, commits, owned, coverage, coverageFaults: faults };
}

/** The owners of the changed files, from the CODEOWNERS file that the host would use; null if there is none. */
async function readOwned(
  { files }: Change,
  repository: RepositoryPlace,
  { dialect, revision }: NonNullable<FactsRequest['owners']>,
): Promise<OwnedFiles | null> {
  const text = await findOwners(repository, revision, ownersFiles[dialect]);
  if (text === undefined) return null;
  if (typeof text !== 'string')
    return { groups: [], files: 0, unowned: files.length, unread: 'CODEOWNERS is too large to be read here' };
  const { groupsOf, unreadLines } = readOwnersFile(text, dialect);
  const groups = new Map<string, { owners: readonly string[]; approvals: number; files: string[] }>();
  let unowned = 0;
  for (const { path } of files) {
    const required = groupsOf(path).filter(({ isOptional }) => !isOptional);
    if (required.length === 0) unowned += 1;
    for (const { owners, approvals } of required) {
      const id = JSON.stringify([approvals, owners]);
      const group = groups.get(id) ?? { owners, approvals, files: [] };
      group.files.push(path);
      groups.set(id, group);
    }
  }
  const found = [...groups.values()].map(({ files: all, ...group }) => ({
    ...group,
    paths: all.slice(0, maxOwnedPaths),
    files: all.length,
  }));
  const unread =
    unreadLines === 0 ? null : `only the host can read ${counted(unreadLines, 'line')} of CODEOWNERS`;
  return { groups: found, files: files.length - unowned, unowned, unread };
}

async function readReports(reports: readonly SentReport[]) {
  const read: CoverageReport[] = [];
  const faults: string[] = [];
  for (const { name, format, text } of reports)
    try {
      read.push(readCoverage(typeof text === 'string' ? text : await unpacked(text.gzip), format));
    } catch (error) {
      if (!(error instanceof CoverageError)) throw error;
      faults.push(`${name}: ${error.message}`);
    }
  return { read, faults };
}

async function unpacked(file: string): Promise<string> {
  return (await gunzip(await readFile(file))).toString();
}

async function coverageOf(
  { files }: Change,
  source: ChangeSource,
  reports: readonly CoverageReport[],
): Promise<ChangeCoverage> {
  const tree = source.kind === 'commits' ? openTree(source.repository, source.head) : undefined;
  const inTree = await tree?.paths().finally(() => tree.close());
  const paths = inTree ?? files.map(({ path }) => path);
  const known = joinReports(reports, paths);
  return {
    files: files.flatMap(({ path, addedLines }) => {
      const lines = known.files.get(path);
      const seen = lines === undefined ? [] : [...addedLines].filter((line) => lines.has(line));
      return seen.length === 0
        ? []
        : [{ path, lines: seen.length, run: seen.filter((line) => lines!.get(line)).length }];
    }),
    absent: files
      .filter(({ path, addedLines }) => addedLines.size > 0 && isCode(path) && !known.files.has(path))
      .map(({ path }) => path)
      .slice(0, maxNamed),
    matched: known.files.size,
    unmatched: known.unmatched.slice(0, maxNamed),
    unread: known.unread,
  };
}
