import type { Db } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { readReviewSettings } from '../settings/review-settings.ts';

/** Matches only the ids of rules: parsing whole rules is left to review processes. */
const ownRuleId = /^\s*(?:-\s+)?["']?id["']?\s*:\s*["']?([\w./-]{1,100})["']?\s*(?:#.*)?$/gm;

/**
 * The rules that can raise something in an organization even if they have not yet: those that come with Postil, and its own.
 */
export async function listKnownRules(db: Db, organizationId: OrganizationId): Promise<ReadonlySet<string>> {
  // Imported on first use, to keep the start of the server fast.
  const { shippedRules } = await import('../../../reviewer/rules/rule-names.ts');
  const { astGrepRules } = await readReviewSettings(db, organizationId);
  const own = astGrepRules.flatMap((text) => [...text.matchAll(ownRuleId)].map(([, id]) => `ast_grep/${id}`));
  return new Set([...shippedRules(), ...own]);
}
