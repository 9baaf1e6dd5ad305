import type { Db, Fragment } from '../../../db/database.ts';
import { slotsPerSpan } from '../../review-metrics/order/day-spans.ts';
import { membershipsOfAccount } from '../../teams/select-teams.ts';

/** What pull requests can be grouped by, and what only comments can. */
const pullRequestGroupings = ['repository', 'author', 'team', 'day', 'week'] as const;
const commentGroupings = ['source', 'source_and_severity', 'severity', 'category'] as const;
export type Grouping = (typeof pullRequestGroupings)[number] | (typeof commentGroupings)[number];

/** Whether the key of a group is that of comments `c`; otherwise it is that of pull requests `p`. */
export function isOfComments(grouping: Grouping | null): boolean {
  return commentGroupings.some((name) => name === grouping);
}

const separator = ' ';

/** The key of a group; of several parts, such as organization and repository, where one is not enough. */
export function keyOf(db: Db, grouping: Grouping | null): Fragment {
  const day = db`p.slot_1 / ${db.unsafe(String(slotsPerSpan))}`;
  switch (grouping) {
    case null:
      return db`''`;
    case 'repository':
      return db`p.organization_id::text || ${separator} || p.repository_id::text`;
    case 'author':
      return db`p.organization_id::text || ${separator} || coalesce(p.author_id, '')`;
    case 'team':
      return db`coalesce(t.team_id::text, '')`;
    case 'day':
      return db`(${day})::text`;
    case 'week':
      // Days are counted from a Monday.
      return db`(${day} - (${day}) % 7)::text`;
    case 'source':
      return db`c.source`;
    case 'source_and_severity':
      return db`coalesce(c.severity, '') || ${separator} || c.source`;
    default:
      return db`coalesce(c.${db.unsafe(grouping)}, '')`;
  }
}

/** What has to be joined to pull requests `p` for their key: by team, a pull request counts once in each team of its author. */
export function joinedFor(db: Db, grouping: Grouping | null): Fragment {
  if (grouping !== 'team') return db``;
  return db`LEFT JOIN LATERAL (${membershipsOfAccount(db, db`p.organization_id`, db`p.author_id`)}) AS t ON true`;
}

/** Splits off the first part of a key; the second may contain anything. */
export function partsOf(key: string): [string, string] {
  const end = key.indexOf(separator);
  return [key.slice(0, end), key.slice(end + 1)];
}
