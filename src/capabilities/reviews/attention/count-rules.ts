import type { Database, Tx } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import type { Schedule } from '../../../lib/schedule.ts';
import { refreshStates } from './rule-store.ts';

/**
 * Recounts everything that an organization's rules have raised. The advisory lock makes concurrent changes of findings wait;
 * they are then added to the new counts.
 */
export async function recountRules(tx: Tx, organizationId: OrganizationId, now: Date): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`review rules of ${organizationId}`}, 0))`;
  // Nodes of an earlier version note the chance rate with the outcome only.
  await tx`
    UPDATE review_findings f SET chance = o.chance FROM finding_outcomes o
    WHERE f.organization_id = ${organizationId} AND o.organization_id = f.organization_id AND o.repository_id = f.repository_id
      AND o.subject = 'pull/' || f.pull_request AND o.finding_id = f.finding_id AND f.chance IS DISTINCT FROM o.chance`;
  await tx`
    UPDATE review_rules SET raised = 0, posted = 0, accepted = 0, rejected = 0, unknown = 0, chances = 0, chance_sum = 0,
      pull_requests = 0
    WHERE organization_id = ${organizationId}`;
  await tx`DELETE FROM review_rule_pull_requests WHERE organization_id = ${organizationId}`;
  // One repository at a time, because all findings at once may be too many.
  const repositories = await tx<{ id: string }[]>`
    SELECT id FROM repositories WHERE organization_id = ${organizationId} ORDER BY id`;
  for (const { id } of repositories)
    await tx`
      SELECT add_rule_counts(jsonb_agg(counted_finding(f, 1))) FROM review_findings f
      WHERE f.organization_id = ${organizationId} AND f.repository_id = ${id}`;
  await tx`
    SELECT add_rule_counts(jsonb_agg(jsonb_build_object('sign', 1, 'organization_id', f.organization_id, 'rules', f.rules,
      'source_kind', f.source_kind, 'source_name', f.source_name, 'accepted', f.accepted, 'is_posted', false)))
    FROM review_run_findings f WHERE f.organization_id = ${organizationId} AND f.accepted IS NOT NULL`;
  await refreshStates(tx, organizationId, now);
}

/** Counts the findings of organizations in the backlog: those that predate the counts, and those to be recounted. */
export function countRulesSchedule({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: () => Date;
}): Schedule {
  return {
    name: 'count review rules',
    intervalMs: 60_000,
    async run() {
      for (let isMore = true; isMore; )
        isMore = await database.transaction(async (tx) => {
          const [next] = await tx<{ id: OrganizationId }[]>`
            DELETE FROM review_rule_backlog WHERE organization_id IN (
              SELECT organization_id FROM review_rule_backlog LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING organization_id AS id`;
          if (next !== undefined) await recountRules(tx, next.id, clock());
          return next !== undefined;
        });
    },
  };
}
