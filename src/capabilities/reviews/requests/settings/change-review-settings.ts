import type { CallerContext } from '../../../../access/caller-context.ts';
import { onlyOrganization } from '../../../../access/org-scope.ts';
import type { Database, Tx } from '../../../../db/database.ts';
import { AppError } from '../../../../lib/app-error.ts';
import type { OrganizationId } from '../../../../lib/ids.ts';
import type { ReviewProcesses } from '../../../../reviewer/process/part.ts';
import { checkAstGrepRules } from '../../../../reviewer/rules/ast-grep/check-rules.ts';
import { recordChanges } from '../../../audit-log/record-changes.ts';
import { lockOrganization } from '../../../organizations/lock-organization.ts';
import { refreshStates } from '../../attention/rule-store.ts';
import { type ReviewSettings, readReviewSettings } from '../../settings/review-settings.ts';

export interface ReviewSettingsDeps {
  readonly database: Database;
  readonly processes: ReviewProcesses;
}

/** Replaces the review settings of an organization; runs that start afterwards follow them. */
export async function changeReviewSettings(
  { database, processes }: ReviewSettingsDeps,
  context: CallerContext,
  settings: ReviewSettings,
): Promise<ReviewSettings> {
  const { organization } = onlyOrganization(context.scope);
  const faults = await checkAstGrepRules(processes, organization.id, settings.astGrepRules);
  if (faults.length > 0)
    throw new AppError(
      'INVALID_REQUEST',
      faults.map(({ text, fault }) => `ast_grep_rules[${text}]: ${fault}`),
    );
  await database.transaction(async (tx) => {
    await lockOrganization(tx, organization.id);
    const before = await readReviewSettings(tx, organization.id);
    const changed = changedFields(before, settings);
    if (changed.length === 0) return context.confirmRights([organization.id]);
    await storeSettings(tx, organization.id, settings, context.now);
    await refreshStates(tx, organization.id, context.now);
    await recordChanges(tx, context, [
      {
        organizationId: organization.id,
        action: 'review_settings.updated',
        resourceType: 'review_settings',
        resourceId: organization.id,
        resourceSummary: 'Review settings',
        metadata: {
          changed,
          ...(changed.includes('budget_usd_per_month') && {
            budget_usd_per_month: { from: before.budgetUsdPerMonth, to: settings.budgetUsdPerMonth },
          }),
        },
      },
    ]);
  });
  return readReviewSettings(database.sql, organization.id);
}

const names: Readonly<Record<keyof ReviewSettings, string>> = {
  otherReviewers: 'other_reviewers',
  budgetUsdPerMonth: 'budget_usd_per_month',
  astGrepRules: 'ast_grep_rules',
  allowMcpForForks: 'allow_mcp_for_forks',
  defaults: 'defaults',
  enforcedChecks: 'enforced_checks',
};

/**
 * The names of the changed fields, as in the API. Compared field by field, because the database returns defaults in another
 * order.
 */
function changedFields(before: ReviewSettings, after: ReviewSettings): string[] {
  const text = (value: unknown): string =>
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    );
  return (Object.keys(names) as (keyof ReviewSettings)[])
    .filter((field) => text(before[field]) !== text(after[field]))
    .map((field) => names[field]);
}

async function storeSettings(tx: Tx, organizationId: OrganizationId, settings: ReviewSettings, now: Date) {
  const { otherReviewers, budgetUsdPerMonth, astGrepRules, allowMcpForForks, defaults, enforcedChecks } =
    settings;
  await tx`
    INSERT INTO review_settings (organization_id, other_reviewers, budget_usd_per_month, ast_grep_rules, allow_mcp_for_forks,
      defaults, enforced_checks, updated_at)
    VALUES (${organizationId}, ${[...otherReviewers]}::text[], ${budgetUsdPerMonth}, ${[...astGrepRules]}::text[],
      ${allowMcpForForks}, ${JSON.stringify(defaults)}::text::jsonb, ${JSON.stringify(enforcedChecks)}::text::jsonb, ${now})
    ON CONFLICT (organization_id) DO UPDATE SET other_reviewers = excluded.other_reviewers,
      budget_usd_per_month = excluded.budget_usd_per_month, ast_grep_rules = excluded.ast_grep_rules,
      allow_mcp_for_forks = excluded.allow_mcp_for_forks, defaults = excluded.defaults,
      enforced_checks = excluded.enforced_checks, updated_at = excluded.updated_at`;
}
