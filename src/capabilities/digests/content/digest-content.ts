import { z } from 'zod';
import { severities } from '../../../reviewer/finding-vocabulary.ts';

/** The content of a digest: numbers, names of repositories and rules, and titles of pull requests; no code and no findings. */
export const digestContent = z.strictObject({
  organization: z.string(),
  /** Null: of the whole organization. */
  team: z.string().nullable(),
  start_date: z.string(),
  end_date: z.string(),
  merged: z.strictObject({
    pull_requests: z.int(),
    /** The number in the previous week. */
    previous: z.int(),
    median_seconds: z.number().nullable(),
    repositories: z.array(z.strictObject({ name: z.string(), pull_requests: z.int() })),
  }),
  /** About merged pull requests. */
  findings: z.strictObject({
    posted: z.int(),
    accepted: z.int(),
    not_accepted: z.int(),
    by_severity: z.array(
      z.strictObject({ severity: z.enum(severities).nullable(), posted: z.int(), accepted: z.int() }),
    ),
  }),
  /** Open pull requests that are not drafts and had not moved for a week at the end of the period. */
  stuck: z.strictObject({
    count: z.int(),
    pull_requests: z.array(
      z.strictObject({
        repository: z.string(),
        number: z.int(),
        title: z.string().nullable(),
        url: z.string(),
        days: z.int(),
      }),
    ),
  }),
  /** Null in the digest of a team, because rules belong to the organization. */
  quiet_rules: z.array(z.strictObject({ rule: z.string(), accepted: z.int(), rejected: z.int() })).nullable(),
  spending: z.strictObject({
    reviews: z.int(),
    usd: z.number(),
    /** Null without a budget, and in the digest of a team, because the budget belongs to the organization. */
    budget_usd_per_month: z.number().nullable(),
  }),
});
export type DigestContent = z.output<typeof digestContent>;
