import { z } from 'zod';
import {
  commaListParameter,
  cursorParameter,
  dateParameter,
  daysInOrder,
  integerParameter,
  wireInstant,
  wireUuid,
} from '../../../../lib/wire/wire.ts';
import type { ListedOverride } from './list-overrides.ts';

export const overridesQuery = z
  .strictObject({
    check: z.string().min(1).max(50).optional().meta({ description: 'The name of a check' }),
    repository_ids: commaListParameter(10).optional(),
    start_date: dateParameter.optional(),
    end_date: dateParameter.optional(),
    limit: integerParameter(1, 1000).default(100),
    cursor: cursorParameter.optional(),
  })
  .check(daysInOrder);

export const overridePage = z.strictObject({
  data: z.array(
    z.strictObject({
      id: wireUuid,
      repository_id: z.string(),
      pull_request: z.int(),
      pr_url: z.string(),
      head_revision: z.string().meta({ description: 'The commit for which the check counts as passed' }),
      check: z.string(),
      reason: z.string(),
      actor: z
        .strictObject({ id: z.string(), username: z.string() })
        .meta({ description: 'The account at the Git provider that overrode the check' }),
      comment_url: z.string(),
      created_at: wireInstant,
      ended_at: wireInstant
        .nullable()
        .meta({ description: 'When the next commit was seen, which ended the override; null until then' }),
    }),
  ),
  next_cursor: z.string().nullable(),
});

/** An override as the API shows it. */
export function presentOverride(override: ListedOverride) {
  return {
    id: override.id,
    repository_id: override.repositoryId,
    pull_request: override.pullRequest,
    pr_url: override.prUrl,
    head_revision: override.head,
    check: override.check,
    reason: override.reason,
    actor: { id: override.actor.id, username: override.actor.name },
    comment_url: override.commentUrl,
    created_at: override.createdAt.toISOString(),
    ended_at: override.endedAt?.toISOString() ?? null,
  };
}
