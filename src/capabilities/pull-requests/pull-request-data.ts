import { z } from 'zod';
import { must } from '../../lib/wire/own-checks.ts';
import { httpUrl, instant, providerId } from '../../lib/wire/wire.ts';

export const pullRequestEventType = 'postil.pull_request';

const count = z.int().min(0).max(2_147_483_647);

const finding = z.strictObject({
  finding_id: z.string().min(1).max(255),
  url: httpUrl,
  severity: z.string().max(255).nullish(),
  category: z.string().max(255).nullish(),
  accepted: z.boolean().nullish(),
});

/** The `data` of a `postil.pull_request` event: the whole state of one pull request. Several capabilities use it. */
export const pullRequestData = z
  .strictObject({
    repository_id: providerId,
    number: z.int().min(1).max(2_147_483_647),
    url: httpUrl,
    state: z.enum(['open', 'merged', 'closed']),
    author_id: providerId.nullish(),
    author_username: z.string().max(255).nullish(),
    created_at: instant,
    ready_for_review_at: instant.nullish(),
    first_human_review_at: instant.nullish(),
    last_commit_at: instant.nullish(),
    merged_at: instant.nullish(),
    closed_at: instant.nullish(),
    review_iterations: count.nullish(),
    estimated_complexity: z.int().min(1).max(5).nullish(),
    estimated_review_minutes: z.number().min(0).max(1_000_000).nullish(),
    findings: z.array(finding).max(100_000).optional(),
  })
  .check(
    must(({ state, merged_at }) => state !== 'merged' || merged_at != null, {
      path: ['merged_at'],
      error: 'required when the state is merged',
    }),
  )
  .check(
    must(
      ({ findings = [] }) => new Set(findings.map(({ finding_id }) => finding_id)).size === findings.length,
      {
        path: ['findings'],
        error: 'two findings have the same finding_id',
      },
    ),
  );

export type PullRequestData = z.output<typeof pullRequestData>;
