import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { RuleSetting } from '../../../reviewer/judge/attention.ts';
import { recordChanges } from '../../audit-log/record-changes.ts';
import { lockOrganization } from '../../organizations/lock-organization.ts';
import { listKnownRules } from './known-rules.ts';
import { asItStands, untried } from './list-rules.ts';
import { findLearnedRules, type LearnedRule, readAttention, refreshStates } from './rule-store.ts';

/** Turns a rule on or off, or lets the outcomes of its findings decide; applies to reviews that start afterwards. */
export async function setRule(
  { database }: { readonly database: Database },
  context: CallerContext,
  { rule, setting }: { readonly rule: string; readonly setting: RuleSetting },
): Promise<LearnedRule> {
  const { id } = onlyOrganization(context.scope).organization;
  const known = await listKnownRules(database.sql, id);
  return database.transaction(async (tx) => {
    await lockOrganization(tx, id);
    const [before] = await findLearnedRules(tx, id, [rule]);
    if (before === undefined && !known.has(rule))
      throw new AppError(
        'NOT_FOUND',
        'There is no such rule; a rule of another analyzer is known once it has raised a finding',
      );
    const from = before?.setting ?? 'automatic';
    if (from === setting) await context.confirmRights([id]);
    else {
      await tx`
        INSERT INTO review_rules (organization_id, rule, setting) VALUES (${id}, ${rule}, ${setting})
        ON CONFLICT (organization_id, rule) DO UPDATE SET setting = excluded.setting`;
      await refreshStates(tx, id, context.now, [rule]);
      await recordChanges(tx, context, [
        {
          organizationId: id,
          action: 'review_rule.updated',
          resourceType: 'review_rule',
          resourceId: rule,
          resourceSummary: rule,
          metadata: { state: { from, to: setting } },
        },
      ]);
    }
    const [after] = await findLearnedRules(tx, id, [rule]);
    return asItStands(after ?? untried(rule), await readAttention(tx, id));
  });
}
