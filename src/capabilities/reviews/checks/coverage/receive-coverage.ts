import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { z } from 'zod';
import type { Database, Tx } from '../../../../db/database.ts';
import { AppError } from '../../../../lib/app-error.ts';
import { partAt, type ReviewProcesses } from '../../../../reviewer/process/part.ts';
import type { PullRequestKey } from '../../../pull-requests/pull-request-state.ts';
import { readSent } from '../../requests/results/read-sent.ts';
import { locateRepository, type Reporter } from '../../requests/results/reporter.ts';
import { findOpenPulls, type VersionKey } from '../../results/results-store.ts';
import { countReports, lockReports, reportLimits, type StoredReport, storeReport } from './coverage-store.ts';
import type { SentCoverage } from './read-coverage-part.ts';
import type { takenReport } from './schemas.ts';

export interface CoverageDeps {
  readonly database: Database;
  readonly processes: ReviewProcesses;
  /** Has a pull request checked again. */
  readonly requestChecks: (key: PullRequestKey) => Promise<void>;
}

const readPart = partAt<typeof import('./read-coverage-part.ts')>('read-coverage-part', import.meta.url);

/** Keeps a coverage report of a version; several add up. Pull requests with this head are checked again. */
export async function receiveCoverage(
  deps: CoverageDeps,
  reporter: Reporter,
  body: Buffer,
  now: Date,
): Promise<z.output<typeof takenReport>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-coverage-'));
  try {
    const sent = await readSent<SentCoverage>(deps, readPart, 'report', reporter, body, folder);
    const place = await locateRepository(deps, reporter, sent);
    const version = { ...place, head: sent.head };
    const { digest, format, files, unread } = sent;
    const report = { digest, format, report: await readFile(sent.report) };
    const numbers = await deps.database.transaction(async (tx) => {
      await keep(tx, version, report, now);
      await reporter.confirm(tx, place.organizationId);
      return findOpenPulls(tx, version);
    });
    for (const number of numbers) await deps.requestChecks({ ...place, number });
    return { files, unread_lines: unread, pull_requests: [...numbers] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function keep(tx: Tx, version: VersionKey, report: StoredReport, now: Date): Promise<void> {
  await lockReports(tx, version.organizationId);
  if (!(await storeReport(tx, version, report, now))) return;
  const { bytes, ofVersion } = await countReports(tx, version);
  if (bytes > reportLimits.bytes)
    throw new AppError(
      'RATE_LIMIT_EXCEEDED',
      'Too many coverage reports of this organization are kept',
      3600,
    );
  if (ofVersion > reportLimits.ofVersion)
    throw new AppError(
      'INVALID_REQUEST',
      `There are ${reportLimits.ofVersion} reports of this version already`,
    );
}
