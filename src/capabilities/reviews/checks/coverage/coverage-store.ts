import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database, Db, Tx } from '../../../../db/database.ts';
import { deleteInSteps } from '../../../../db/delete-in-steps.ts';
import type { OrganizationId } from '../../../../lib/ids.ts';
import type { Schedule } from '../../../../lib/schedule.ts';
import type { CoverageFormat } from '../../../../reviewer/checks/coverage/coverage-report.ts';
import type { SentReport } from '../../../../reviewer/checks/facts-part.ts';
import type { VersionKey } from '../../results/results-store.ts';

const keptDays = 30;
/** More than the jobs of one push send. */
const maxReports = 100;
const rowsPerStep = 100;

export interface StoredReport {
  readonly digest: string;
  readonly format: CoverageFormat;
  /** Compressed. */
  readonly report: Buffer;
}

/** Stores a report about a version; false if it is there already. */
export async function storeReport(
  tx: Tx,
  { organizationId, repositoryId, head }: VersionKey,
  { digest, format, report }: StoredReport,
  now: Date,
): Promise<boolean> {
  const stored = await tx`
    INSERT INTO coverage_reports (organization_id, repository_id, head_revision, digest, format, report, bytes, received_at)
    VALUES (${organizationId}, ${repositoryId}, ${head}, ${digest}, ${format}, ${report}, ${report.length}, ${now})
    ON CONFLICT DO NOTHING RETURNING 1`;
  return stored.length > 0;
}

/** How much is kept for an organization, and how many reports about one version. */
export async function countReports(
  db: Db,
  { organizationId, repositoryId, head }: VersionKey,
): Promise<{ readonly bytes: number; readonly ofVersion: number }> {
  const [row] = await db<[{ bytes: number; ofVersion: number }]>`
    SELECT coalesce(sum(bytes), 0)::float8 AS bytes,
      (count(*) FILTER (WHERE repository_id = ${repositoryId} AND head_revision = ${head}))::integer AS "ofVersion"
    FROM coverage_reports WHERE organization_id = ${organizationId}`;
  return row;
}

/** The digests of the reports about a version. */
export async function listReports(
  db: Db,
  { organizationId, repositoryId, head }: VersionKey,
): Promise<string[]> {
  const rows = await db<{ digest: string }[]>`
    SELECT digest FROM coverage_reports
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND head_revision = ${head}
    ORDER BY digest LIMIT ${maxReports}`;
  return rows.map(({ digest }) => digest);
}

/** Writes reports to a folder that review processes can read, for as long as `work` runs. */
export async function withReports<Result>(
  db: Db,
  version: VersionKey,
  digests: readonly string[],
  work: (reports: readonly SentReport[]) => Promise<Result>,
): Promise<Result> {
  if (digests.length === 0) return work([]);
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-coverage-'));
  try {
    const reports: SentReport[] = [];
    // One at a time, since together they may not fit in memory.
    for (const digest of digests) {
      const found = await readReport(db, version, digest);
      if (found === undefined) continue;
      const gzip = path.join(folder, digest);
      await writeFile(gzip, found.report, { mode: 0o600 });
      reports.push({ name: `a report of the format ${found.format}`, format: found.format, text: { gzip } });
    }
    return await work(reports);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readReport(
  db: Db,
  { organizationId, repositoryId, head }: VersionKey,
  digest: string,
): Promise<Omit<StoredReport, 'digest'> | undefined> {
  const [row] = await db<Omit<StoredReport, 'digest'>[]>`
    SELECT format, report FROM coverage_reports
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND head_revision = ${head}
      AND digest = ${digest}`;
  return row;
}

/** The most that an organization keeps, and that a version has. */
export const reportLimits = { bytes: 512 * 1024 * 1024, ofVersion: maxReports };

/** Deletes expired coverage reports. */
export function forgetReports({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: () => Date;
}): Schedule {
  return {
    name: 'forget coverage reports',
    intervalMs: 60 * 60_000,
    run: (signal) =>
      deleteInSteps(
        signal,
        (limit) => database.sql`
          DELETE FROM coverage_reports WHERE (organization_id, repository_id, head_revision, digest) IN (
            SELECT organization_id, repository_id, head_revision, digest FROM coverage_reports
            WHERE received_at <= ${new Date(clock().getTime() - keptDays * 86_400_000)}
            ORDER BY received_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
        rowsPerStep,
      ),
  };
}

/** Serializes counting and storing of an organization's reports, so that its limit holds. */
export async function lockReports(tx: Tx, organizationId: OrganizationId): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`coverage reports of ${organizationId}`}, 0))`;
}
