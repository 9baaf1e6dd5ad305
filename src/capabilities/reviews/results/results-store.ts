import type { Db, Tx } from '../../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import type { RunStatus } from '../runs/run-record.ts';

/** How long results wait for a run. */
export const keptHours = 24;

/** A version of a repository. */
export interface VersionKey {
  readonly organizationId: OrganizationId;
  readonly repositoryId: RepositoryId;
  readonly head: string;
}

export interface StoredLog {
  readonly tool: string;
  readonly digest: string;
  readonly results: Buffer;
}

export interface FoundRun {
  readonly id: string;
  readonly status: RunStatus;
}

/** Serializes storing results of one version. */
export async function lockVersion(tx: Tx, { organizationId, repositoryId, head }: VersionKey): Promise<void> {
  const name = `review results of ${organizationId} ${repositoryId} ${head}`;
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

/** The active repositories of these organizations with this id at their Git provider. */
export async function findRepositories(
  db: Db,
  organizationIds: readonly OrganizationId[],
  providerRepositoryId: string,
): Promise<Pick<VersionKey, 'organizationId' | 'repositoryId'>[]> {
  return db<Pick<VersionKey, 'organizationId' | 'repositoryId'>[]>`
    SELECT organization_id AS "organizationId", id AS "repositoryId" FROM repositories
    WHERE organization_id = ANY(${[...organizationIds]}::uuid[]) AND provider_repository_id = ${providerRepositoryId}
      AND active`;
}

/** The size of the results stored for an organization. */
export async function countKeptBytes(db: Db, organizationId: OrganizationId): Promise<number> {
  const [row] = await db<[{ bytes: number }]>`
    SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM review_results WHERE organization_id = ${organizationId}`;
  return row.bytes;
}

/** Stores logs for a run; returns how many of them are new. */
export async function storeLogs(
  tx: Tx,
  { organizationId, repositoryId, head }: VersionKey,
  logs: readonly StoredLog[],
  runId: string,
  now: Date,
): Promise<number> {
  let stored = 0;
  for (const { tool, digest, results } of logs) {
    const inserted = await tx`
      INSERT INTO review_results (organization_id, repository_id, head_revision, digest, tool, results, bytes, run_id, received_at)
      VALUES (${organizationId}, ${repositoryId}, ${head}, ${digest}, ${tool}, ${results}, ${results.length}, ${runId}, ${now})
      ON CONFLICT DO NOTHING RETURNING 1`;
    stored += inserted.length;
  }
  return stored;
}

/** Records which run will include the results of a version. */
export async function nameRun(
  tx: Tx,
  { organizationId, repositoryId, head }: VersionKey,
  runId: string,
): Promise<void> {
  await tx`
    UPDATE review_results SET run_id = ${runId}
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND head_revision = ${head}`;
}

/** The numbers of open pull requests whose head this is. */
export async function findOpenPulls(
  db: Db,
  { organizationId, repositoryId, head }: VersionKey,
): Promise<number[]> {
  const rows = await db<{ number: number }[]>`
    SELECT number FROM reviewed_pull_requests
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND head_revision = ${head} AND state = 'open'
    ORDER BY number`;
  return rows.map(({ number }) => number);
}

/** An unfinished run of a pull request. */
export interface OpenRun extends FoundRun {
  /** The head that it was queued for or, once it has begun, that it reviews. */
  readonly head: string;
  /** It has progressed too far to include new results. */
  readonly isUnderWay: boolean;
}

/** The unfinished runs of a pull request, oldest first. */
export async function findOpenRuns(
  db: Db,
  { organizationId, repositoryId }: Pick<VersionKey, 'organizationId' | 'repositoryId'>,
  number: number,
): Promise<OpenRun[]> {
  return db<OpenRun[]>`
    SELECT r.id, r.status, r.head_revision AS head, r.status = 'running' OR w.stages <> '{}'::jsonb AS "isUnderWay"
    FROM review_runs r JOIN review_run_work w ON w.organization_id = r.organization_id AND w.run_id = r.id
    WHERE r.organization_id = ${organizationId} AND r.repository_id = ${repositoryId} AND r.pull_request = ${number}
      AND r.status IN ('queued', 'running')
    ORDER BY r.created_at`;
}

/** The run that will include the results of a version. A run that does not exist yet will get this id, and counts as queued. */
export async function findTakingRun(
  db: Db,
  { organizationId, repositoryId, head }: VersionKey,
): Promise<FoundRun | undefined> {
  const [run] = await db<FoundRun[]>`
    SELECT k.run_id AS id, coalesce(r.status, 'queued') AS status
    FROM review_results k LEFT JOIN review_runs r ON r.organization_id = k.organization_id AND r.id = k.run_id
    WHERE k.organization_id = ${organizationId} AND k.repository_id = ${repositoryId} AND k.head_revision = ${head}
    ORDER BY k.received_at DESC LIMIT 1`;
  return run;
}

/** The last run that reviewed this version. */
export async function findReviewingRun(
  db: Db,
  { organizationId, repositoryId, head }: VersionKey,
): Promise<FoundRun | undefined> {
  const [run] = await db<FoundRun[]>`
    SELECT id, status FROM review_runs
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND head_revision = ${head}
      AND pull_request IS NOT NULL
    ORDER BY created_at DESC, id DESC LIMIT 1`;
  return run;
}

/** The id that the next run of this version must get, because a sender of results was told so; undefined if none was. */
export async function findPromisedRun(
  db: Db,
  { organizationId, repositoryId, head }: VersionKey,
): Promise<string | undefined> {
  const [promised] = await db<{ id: string }[]>`
    SELECT k.run_id AS id FROM review_results k
    WHERE k.organization_id = ${organizationId} AND k.repository_id = ${repositoryId} AND k.head_revision = ${head}
      AND NOT EXISTS (SELECT 1 FROM review_runs r WHERE r.organization_id = ${organizationId} AND r.id = k.run_id)
    LIMIT 1`;
  return promised?.id;
}

/** The results of a version, newest first. */
export async function findLogs(
  db: Db,
  { organizationId, repositoryId, head }: VersionKey,
  since: Date,
  limit: number,
): Promise<StoredLog[]> {
  return db<StoredLog[]>`
    SELECT tool, digest, results FROM review_results
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND head_revision = ${head}
      AND received_at > ${since}
    ORDER BY received_at DESC, digest LIMIT ${limit}`;
}

/** The number of stored logs of a version by analyzer. */
export async function countLogs(
  db: Db,
  { organizationId, repositoryId, head }: VersionKey,
): Promise<Map<string, number>> {
  const rows = await db<{ tool: string; count: number }[]>`
    SELECT tool, count(*)::int AS count FROM review_results
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND head_revision = ${head} GROUP BY tool`;
  return new Map(rows.map(({ tool, count }) => [tool, count]));
}
