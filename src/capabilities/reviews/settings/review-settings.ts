import type { Db } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import type { CheckSettings } from '../../../reviewer/configuration/checks-shape.ts';
import type { PostilFile } from '../../../reviewer/configuration/review-configuration.ts';

/** An organization's settings for its reviews. */
export interface ReviewSettings {
  /** User names of other reviewers, whose findings are followed and judged like ours. */
  readonly otherReviewers: readonly string[];
  /** Null: no limit. */
  readonly budgetUsdPerMonth: number | null;
  /** YAML texts, each with one or several rules. */
  readonly astGrepRules: readonly string[];
  readonly allowMcpForForks: boolean;
  /** The configuration that applies where a repository's file says nothing. */
  readonly defaults: PostilFile;
  /** Checks that apply whatever a repository's file says. */
  readonly enforcedChecks: CheckSettings;
}

const undecided: ReviewSettings = {
  otherReviewers: [],
  budgetUsdPerMonth: null,
  astGrepRules: [],
  allowMcpForForks: false,
  defaults: {},
  enforcedChecks: {},
};

/** The review settings of an organization, as they are now. */
export async function readReviewSettings(db: Db, organizationId: OrganizationId): Promise<ReviewSettings> {
  const [row] = await db<ReviewSettings[]>`
    SELECT other_reviewers AS "otherReviewers", budget_usd_per_month AS "budgetUsdPerMonth", ast_grep_rules AS "astGrepRules",
      allow_mcp_for_forks AS "allowMcpForForks", defaults, enforced_checks AS "enforcedChecks"
    FROM review_settings WHERE organization_id = ${organizationId}`;
  return row ?? undecided;
}
