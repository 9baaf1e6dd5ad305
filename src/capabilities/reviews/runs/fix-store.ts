import type { Db, Fragment, Tx } from '../../../db/database.ts';
import type { Fix, FixKey } from './fix-record.ts';
import type { RunKey } from './run-record.ts';

/** The id of requests from the dashboard or the API: one for each run. */
export const requestOfRun = (runId: string) => `run/${runId}`;

/** A commit that was created for a request; the request's state says whether it was pushed. */
type MadeCommit = Pick<Fix, 'findingIds' | 'leftOver'> & { readonly commit: string };

const columns = (db: Db): Fragment => db`
  organization_id AS "organizationId", repository_id AS "repositoryId", number, request, run_id AS "runId", head_revision AS head,
  actor, state, commit_revision AS commit, finding_ids AS "findingIds", left_over AS "leftOver", reason,
  requested_at AS "requestedAt"`;

const isRequest = (db: Db, { repositoryId, number, request }: FixKey): Fragment => db`
  repository_id = ${repositoryId} AND number = ${number} AND request = ${request}`;

export async function findFix(db: Db, key: FixKey): Promise<Fix | undefined> {
  const [fix] = await db<Fix[]>`
    SELECT ${columns(db)} FROM review_fixes
    WHERE organization_id = ${key.organizationId} AND ${isRequest(db, key)}`;
  return fix;
}

/** The newest request about a run that led to a commit; if none did, the newest request. */
export async function findFixOfRun(db: Db, { organizationId, runId }: RunKey): Promise<Fix | undefined> {
  const [fix] = await db<Fix[]>`
    SELECT ${columns(db)} FROM review_fixes WHERE organization_id = ${organizationId} AND run_id = ${runId}
    ORDER BY state = 'done' DESC, requested_at DESC, request LIMIT 1`;
  return fix;
}

/** Stores a request, or resets one that was refused; a waiting or finished one stays as it is. */
export async function requestFix(
  db: Db,
  fix: FixKey & Pick<Fix, 'runId' | 'head' | 'actor' | 'requestedAt'>,
): Promise<Fix> {
  const { type, id, name, subtitle, isBot } = fix.actor;
  await db`
    INSERT INTO review_fixes AS f (organization_id, repository_id, number, request, run_id, head_revision, actor, state, requested_at)
    VALUES (${fix.organizationId}, ${fix.repositoryId}, ${fix.number}, ${fix.request}, ${fix.runId}, ${fix.head},
      ${JSON.stringify({ type, id, name, subtitle, isBot })}::text::jsonb, 'waiting', ${fix.requestedAt})
    ON CONFLICT (organization_id, repository_id, number, request) DO UPDATE SET state = 'waiting', actor = excluded.actor,
      requested_at = excluded.requested_at, reason = NULL, finished_at = NULL
    WHERE f.state = 'refused'`;
  return (await findFix(db, fix))!;
}

/** Records the commit before it is pushed. */
export async function noteCommit(
  db: Db,
  key: FixKey,
  { commit, findingIds, leftOver }: MadeCommit,
): Promise<void> {
  await db`
    UPDATE review_fixes SET commit_revision = ${commit}, finding_ids = ${[...findingIds]}, left_over = ${leftOver}
    WHERE organization_id = ${key.organizationId} AND ${isRequest(db, key)} AND state = 'waiting'`;
}

/** The commit of a run's suggestions, for whichever request it was created: it is the same for all. */
export async function findCommitOfRun(
  db: Db,
  { organizationId, runId }: RunKey,
): Promise<MadeCommit | undefined> {
  const [made] = await db<MadeCommit[]>`
    SELECT commit_revision AS commit, finding_ids AS "findingIds", left_over AS "leftOver" FROM review_fixes
    WHERE organization_id = ${organizationId} AND run_id = ${runId} AND commit_revision IS NOT NULL
    ORDER BY requested_at DESC, request LIMIT 1`;
  return made;
}

/** Whether another request has ended with the same commit. */
export async function isCommitOfAnother(
  db: Db,
  { organizationId, runId, request, commit }: Fix,
): Promise<boolean> {
  const ended = await db`
    SELECT 1 FROM review_fixes WHERE organization_id = ${organizationId} AND run_id = ${runId} AND request <> ${request}
      AND commit_revision = ${commit} AND state = 'done' LIMIT 1`;
  return ended.length > 0;
}

/** Ends a request; false if it had ended before. */
export async function endFix(
  tx: Tx | Db,
  key: FixKey,
  { state, reason }: Pick<Fix, 'state' | 'reason'>,
  now: Date,
): Promise<boolean> {
  const ended = await tx`
    UPDATE review_fixes SET state = ${state}, reason = ${reason}, finished_at = ${now}
    WHERE organization_id = ${key.organizationId} AND ${isRequest(tx, key)} AND state = 'waiting' RETURNING 1`;
  return ended.length > 0;
}
