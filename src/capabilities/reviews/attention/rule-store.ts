import type { Db, Tx } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { resolveConfiguration } from '../../../reviewer/configuration/review-configuration.ts';
import {
  type Attention,
  type RuleRecord,
  type RuleState,
  stateOf,
} from '../../../reviewer/judge/attention.ts';
import { readReviewSettings } from '../settings/review-settings.ts';

/** What is known about a rule in an organization. */
export interface LearnedRule extends RuleRecord {
  readonly posted: number;
  readonly unknown: number;
  /** How often lines like those of its findings change anyway, commented on or not; null if unknown. */
  readonly chance: number | null;
  /** The state when it was last computed, and since when the rule has it. */
  readonly state: RuleState;
  readonly since: Date | null;
}

/** The rules that an organization has seen or decided about, all or some, by their names. */
export async function findLearnedRules(
  db: Db,
  organizationId: OrganizationId,
  rules?: readonly string[],
): Promise<LearnedRule[]> {
  return db<LearnedRule[]>`
    SELECT rule, posted::float8, accepted::float8, rejected::float8, unknown::float8, pull_requests::float8 AS "pullRequests",
      round(chance_sum / nullif(chances, 0), 4)::float8 AS chance, setting, state, since
    FROM review_rules
    WHERE organization_id = ${organizationId} ${rules === undefined ? db`` : db`AND rule = ANY(${[...rules]}::text[])`}
    ORDER BY rule COLLATE "C"`;
}

/** What reviews need to know about rules; leaves out rules without any known outcome or setting. */
export async function findRuleRecords(db: Db, organizationId: OrganizationId): Promise<RuleRecord[]> {
  return db<RuleRecord[]>`
    SELECT rule, accepted::float8, rejected::float8, pull_requests::float8 AS "pullRequests", setting FROM review_rules
    WHERE organization_id = ${organizationId} AND (accepted + rejected > 0 OR setting <> 'automatic')
    ORDER BY rule COLLATE "C"`;
}

/** The organization's default limits on comments from rules; a repository's own configuration overrides them in its reviews. */
export async function readAttention(db: Db, organizationId: OrganizationId): Promise<Attention> {
  const { defaults } = await readReviewSettings(db, organizationId);
  return resolveConfiguration(defaults).reviews.attention;
}

/** Stores the rules' new states and the time of the change. Called after anything that can change a state. */
export async function refreshStates(
  tx: Tx,
  organizationId: OrganizationId,
  now: Date,
  rules?: readonly string[],
): Promise<void> {
  const attention = await readAttention(tx, organizationId);
  const learned = await findLearnedRules(tx, organizationId, rules);
  const changed = learned
    .map((rule) => ({ rule: rule.rule, before: rule.state, state: stateOf(rule, attention) }))
    .filter(({ before, state }) => before !== state);
  if (changed.length === 0) return;
  await tx`
    UPDATE review_rules r SET state = c.state, since = ${now}
    FROM jsonb_to_recordset(${JSON.stringify(changed)}::text::jsonb) AS c (rule text, state text)
    WHERE r.organization_id = ${organizationId} AND r.rule = c.rule`;
}
