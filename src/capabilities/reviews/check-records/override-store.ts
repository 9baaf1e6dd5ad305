import type { Db, Tx } from '../../../db/database.ts';
import { newUuid } from '../../../lib/uuid.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';

/** Somebody's decision to let a check pass for one version of a pull request. */
export interface Override {
  readonly check: string;
  /** An account at the host. */
  readonly actor: { readonly id: string; readonly name: string };
  readonly reason: string;
  readonly commentUrl: string;
  readonly createdAt: Date;
}

/** The overrides of a head, by the names of the checks. */
export async function findOverrides(
  db: Db,
  { organizationId, repositoryId, number }: PullRequestKey,
  head: string,
): Promise<Override[]> {
  return db<Override[]>`
    SELECT check_name AS check, jsonb_build_object('id', actor_id, 'name', actor_name) AS actor, reason,
      comment_url AS "commentUrl", created_at AS "createdAt"
    FROM check_overrides
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}
      AND head_revision = ${head} AND ended_at IS NULL
    ORDER BY check_name`;
}

/** Ends the overrides of all heads but this one. */
export async function endOverrides(
  tx: Tx,
  { organizationId, repositoryId, number }: PullRequestKey,
  head: string,
  now: Date,
): Promise<void> {
  await tx`
    UPDATE check_overrides SET ended_at = ${now}
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}
      AND head_revision <> ${head} AND ended_at IS NULL`;
}

/** Stores an override of a head; false if the check is overridden there already. */
export async function storeOverride(
  tx: Tx,
  key: PullRequestKey,
  head: string,
  { check, actor, reason, commentUrl, createdAt }: Override,
): Promise<boolean> {
  const { organizationId, repositoryId, number } = key;
  await endOverrides(tx, key, head, createdAt);
  const stored = await tx`
    INSERT INTO check_overrides (organization_id, id, repository_id, number, head_revision, check_name, actor_id, actor_name,
      reason, comment_url, created_at)
    VALUES (${organizationId}, ${newUuid()}, ${repositoryId}, ${number}, ${head}, ${check}, ${actor.id}, ${actor.name},
      ${reason}, ${commentUrl}, ${createdAt})
    ON CONFLICT (organization_id, repository_id, number, check_name) WHERE ended_at IS NULL DO NOTHING RETURNING 1`;
  return stored.length > 0;
}
