import { z } from 'zod';
import { severities } from '../../../reviewer/finding-vocabulary.ts';

/** What a digest says: numbers, names of repositories and rules, and titles of pull requests; no code and no finding. */
export const digestContent = z.strictObject({
  organization: z.string(),
  /** Null: of the whole organization. */
  team: z.string().nullable(),
  start_date: z.string(),
  end_date: z.string(),
  merged: z.strictObject({
    pull_requests: z.int(),
    /** In the week before. */
    previous: z.int(),
    median_seconds: z.number().nullable(),
    repositories: z.array(z.strictObject({ name: z.string(), pull_requests: z.int() })),
  }),
  /** Of the pull requests that were merged. */
  findings: z.strictObject({
    posted: z.int(),
    accepted: z.int(),
    not_accepted: z.int(),
    by_severity: z.array(
      z.strictObject({ severity: z.enum(severities).nullable(), posted: z.int(), accepted: z.int() }),
    ),
  }),
  /** Open, no drafts, and without movement for a week at its end. */
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
  /** Rules are of the organization: null in the digest of a team. */
  quiet_rules: z.array(z.strictObject({ rule: z.string(), accepted: z.int(), rejected: z.int() })).nullable(),
  spending: z.strictObject({
    reviews: z.int(),
    usd: z.number(),
    /** The budget is of the organization: null in the digest of a team, or without one. */
    budget_usd_per_month: z.number().nullable(),
  }),
});
export type DigestContent = z.output<typeof digestContent>;
