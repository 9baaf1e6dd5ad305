import { z } from 'zod';
import {
  commaListParameter,
  cursorParameter,
  dateParameter,
  daysInOrder,
  integerParameter,
  wireInstant,
} from '../../lib/wire/wire.ts';
import { categories, severities } from '../../reviewer/finding-vocabulary.ts';
import { reviewStatuses } from './lists/list-definitions.ts';

const windowFields = {
  start_date: dateParameter,
  end_date: dateParameter,
  repository_ids: commaListParameter(10).optional(),
  user_ids: commaListParameter(10).optional(),
  limit: integerParameter(1, 1000).optional(),
  cursor: cursorParameter.optional(),
};

export const windowQuery = z.strictObject(windowFields).check(daysInOrder);

export const reviewsQuery = z
  .strictObject({
    ...windowFields,
    status: z.enum(reviewStatuses).optional(),
    format: z.enum(['json', 'csv']).optional(),
  })
  .check(daysInOrder);

function pageOf<Row extends z.ZodType>(row: Row) {
  return z.strictObject({ data: z.array(row), next_cursor: z.string().nullable() });
}

const pullRequestFields = {
  pr_url: z.string(),
  organization_id: z.string(),
  repository_id: z.string(),
  author_id: z.string().nullable(),
};

const comment = z
  .strictObject({
    url: z.string(),
    severity: z.enum(severities).nullable(),
    category: z.enum(categories).nullable(),
    accepted: z.boolean().nullable(),
  })
  .meta({ id: 'ReviewComment' });

export const reviewCommentPage = pageOf(
  z
    .strictObject({
      ...pullRequestFields,
      merged_at: wireInstant.nullable(),
      coderabbit_comments: z.array(comment).min(1),
    })
    .meta({ id: 'ReviewCommentMetrics' }),
);

export const mcpUsagePage = pageOf(
  z
    .strictObject({
      ...pullRequestFields,
      merged_at: wireInstant.nullable(),
      servers: z.array(
        z.strictObject({
          name: z.string(),
          calls: z.int(),
          tools: z.array(z.strictObject({ name: z.string(), calls: z.int(), failures: z.int() })),
        }),
      ),
    })
    .meta({ id: 'McpUsage' }),
);

const counts = z.strictObject({ posted: z.int(), accepted: z.int() }).meta({ id: 'CommentCounts' });

function countsBy<Leaf extends string>(leaves: readonly Leaf[]) {
  return z.strictObject(
    Object.fromEntries(leaves.map((leaf) => [leaf, counts])) as Record<Leaf, typeof counts>,
  );
}

export const reviewPage = pageOf(
  z
    .strictObject({
      ...pullRequestFields,
      author_username: z.string().nullable(),
      organization_name: z.string(),
      repository_name: z.string(),
      created_at: wireInstant,
      ready_for_review_at: wireInstant.nullable(),
      first_human_review_at: wireInstant.nullable(),
      last_commit_at: wireInstant.nullable(),
      merged_at: wireInstant.nullable(),
      closed_at: wireInstant.nullable(),
      status: z.enum(['merged', 'closed']),
      review_iterations: z.int().nullable(),
      estimated_complexity: z.int().min(1).max(5).nullable(),
      estimated_review_minutes: z.number().nullable(),
      coderabbit_comments: z.strictObject({
        total: counts,
        severity: countsBy(severities),
        category: countsBy(categories),
      }),
    })
    .meta({ id: 'ReviewMetrics' }),
);

export const summaryQuery = z
  .strictObject({
    start_date: dateParameter,
    end_date: dateParameter,
    repository_ids: commaListParameter(10).optional(),
  })
  .check(daysInOrder);

const outcomes = { posted: z.int(), accepted: z.int(), not_accepted: z.int(), unknown: z.int() };

export const commentSummary = z.strictObject({
  total: z.strictObject(outcomes),
  days: z.array(z.strictObject({ date: z.string(), ...outcomes })),
  severities: z.array(z.strictObject({ name: z.enum(severities).nullable(), ...outcomes })),
  categories: z.array(z.strictObject({ name: z.enum(categories).nullable(), ...outcomes })),
  repositories: z.array(z.strictObject({ name: z.string(), ...outcomes })),
});
