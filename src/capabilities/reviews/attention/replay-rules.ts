import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import type { Attention } from '../../../reviewer/judge/attention.ts';
import { type PostedComment, type Replay, replayComments } from './replay.ts';
import { findRuleRecords, readAttention } from './rule-store.ts';

/** A limit, since more comments would take long and older ones say little about today's rules. */
const maxComments = 20_000;

/** The newest comments of an organization's reviews that rules have raised, with their outcomes. */
async function findComments(db: Db, organizationId: OrganizationId): Promise<PostedComment[]> {
  return db<PostedComment[]>`
    SELECT f.finding_id AS identity, f.repository_id || '/' || f.pull_request AS pull,
      coalesce(f.rules, ARRAY[f.source_name]) AS rules, f.severity, f.posted_at AS "postedAt", f.accepted,
      o.changed_at AS "decidedAt"
    FROM review_findings f LEFT JOIN finding_outcomes o ON o.organization_id = f.organization_id
      AND o.repository_id = f.repository_id AND o.subject = 'pull/' || f.pull_request AND o.finding_id = f.finding_id
    WHERE f.organization_id = ${organizationId} AND f.comment_id IS NOT NULL AND f.posted_at IS NOT NULL AND f.source_kind = 'rule'
    ORDER BY f.posted_at DESC, f.repository_id, f.pull_request, f.finding_id LIMIT ${maxComments}`;
}

/** Which comments would have been posted in an organization with these settings, and how many of those were accepted. */
export async function replayRules(
  { database }: { readonly database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  wished: { readonly minOutcomes: number | undefined; readonly muteBelow: number | undefined },
): Promise<Replay & { readonly attention: Attention }> {
  const { id } = onlyOrganization(scope).organization;
  const present = await readAttention(database.sql, id);
  const attention = {
    enabled: true,
    min_outcomes: wished.minOutcomes ?? present.min_outcomes,
    mute_below: wished.muteBelow ?? present.mute_below,
  };
  const records = await findRuleRecords(database.sql, id);
  const settings = new Map(records.map(({ rule, setting }) => [rule, setting]));
  const replay = replayComments(await findComments(database.sql, id), attention, settings);
  return { ...replay, attention };
}
