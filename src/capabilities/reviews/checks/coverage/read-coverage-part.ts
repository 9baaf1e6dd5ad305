import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip as gzipBytes } from 'node:zlib';
import { FaultList } from '../../../../lib/wire/faults.ts';
import { LogFault, parseForeignJson } from '../../../../reviewer/analyzers/parse-log.ts';
import { CoverageError, type CoverageFormat } from '../../../../reviewer/checks/coverage/coverage-report.ts';
import { readCoverage } from '../../../../reviewer/checks/coverage/read-coverage.ts';
import { coverageBody } from './schemas.ts';

export interface ReadCoverageRequest {
  /** A file with the body of the request. */
  readonly file: string;
  /** Where the report is put. */
  readonly folder: string;
}

/** What was sent, with the report in a file. */
export interface SentCoverage {
  readonly repositoryId: string;
  readonly orgId: string | null;
  readonly head: string;
  readonly format: CoverageFormat;
  readonly digest: string;
  /** How many files it is about. */
  readonly files: number;
  /** How many lines of it cannot be read. */
  readonly unread: number;
  /** Compressed. */
  readonly report: string;
}

const gzip = promisify(gzipBytes);

/** Parses a coverage report that somebody sent, or reports its faults. */
export async function work({
  file,
  folder,
}: ReadCoverageRequest): Promise<SentCoverage | { readonly faults: readonly string[] }> {
  try {
    const read = coverageBody.safeParse(parseForeignJson(await readFile(file)));
    if (!read.success) {
      const faults = new FaultList();
      faults.addIssues(read.error.issues);
      return { faults: faults.sentences };
    }
    const { repository_id, org_id, head_revision, format, report } = read.data;
    const { files, unread } = readCoverage(report, format);
    const kept = path.join(folder, 'report.gz');
    await writeFile(kept, await gzip(report), { mode: 0o600 });
    return {
      repositoryId: repository_id,
      orgId: org_id ?? null,
      head: head_revision,
      format,
      digest: hash('sha256', `${format}\n${report}`),
      files: files.size,
      unread,
      report: kept,
    };
  } catch (error) {
    if (error instanceof LogFault) return { faults: [error.message] };
    if (error instanceof CoverageError) return { faults: [`report: ${error.message}`] };
    throw error;
  }
}
