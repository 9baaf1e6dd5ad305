/**
 * The actions in a week of a company of 2,000 people and 300 repositories, of whom about 300 write code: two pull requests
 * each, most of them with another push. Consequences are not listed, such as Postil's reviews, sent webhooks and audit log
 * entries.
 */
export const people = 2_000;
export const repositories = 300;

export const week = {
  /** On the Git host; each causes a delivery. */
  'pull request opened': 600,
  push: 500,
  'pull request ended': 600,
  'review by a person': 800,
  comment: 2_000,
  'answer to a finding': 300,
  /** Sent by other systems. */
  'event of another reviewer': 2_000,
  'security scan': 300,
  'Learning captured': 200,
  'review asked for by an agent': 100,
  /** By people and scripts, with API keys. */
  'Learning written': 150,
  'Learning changed': 60,
  'Learning deleted': 40,
  'seats changed': 150,
  'role changed': 60,
  'Learnings searched': 2_000,
  'metrics read': 1_500,
  'audit log read': 200,
  /** A page of the dashboard is two requests. */
  'dashboard page': 5_000,
  'digest due': 20,
} as const;

export type Kind = keyof typeof week;
export const kinds = Object.keys(week) as Kind[];

/** The duration of the simulated week. */
export const weekMs = 3_600_000;
