import { type EntryClass, entryClasses } from '../order/day-spans.ts';

/** A list that is paged in write order: which rows it has and how their entries are built. */
export interface MetricList {
  /** The column with the position in the write order. */
  readonly seq: 'write_seq' | 'mcp_seq';
  readonly classes: readonly EntryClass[];
  /** The SQL expression of an entry's JSON text. */
  readonly entry: string;
  /** The columns that it is made of. */
  readonly columns: readonly string[];
}

/** An entry that consists of its head and one more field. */
function withHead(name: string, value: string): string {
  return `entry_head || '"${name}":' || ${value} || '}'`;
}

const { mergedWithComments, mergedWithoutComments, closed } = entryClasses;

/** The entries of GET /v1/metrics/review-comments. */
export const reviewCommentList: MetricList = {
  seq: 'write_seq',
  classes: [mergedWithComments],
  entry: 'entry',
  columns: ['entry'],
};

/** The entries of GET /v1/metrics/mcp. */
export const mcpUsageList: MetricList = {
  seq: 'mcp_seq',
  classes: [mergedWithComments, mergedWithoutComments],
  entry: withHead('servers', 'mcp_servers'),
  columns: ['entry_head', 'mcp_servers'],
};

const detailColumns = [
  'organization_id',
  'repository_id',
  'author_username',
  'created_at',
  'ready_for_review_at',
  'first_human_review_at',
  'last_commit_at',
  'closed_at',
  'review_iterations',
  'estimated_complexity',
  'estimated_review_minutes',
];
const details = [
  ...detailColumns.map((name) => `'${name}', ${name}`),
  `'status', CASE slot_1 % 4 WHEN ${closed} THEN 'closed' ELSE 'merged' END`,
  `'counts', comment_counts::json`,
];

/** Which pull requests GET /v1/metrics/reviews shows. */
export const reviewStatuses = ['merged', 'closed', 'all'] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

function reviewsOf(classes: readonly EntryClass[]): MetricList {
  return {
    seq: 'write_seq',
    classes,
    entry: withHead('details', `json_build_object(${details.join(', ')})::text`),
    columns: ['entry_head', ...detailColumns, 'slot_1', 'comment_counts'],
  };
}

/** The rows of GET /v1/metrics/reviews by status: not stored as they are sent, since they show names that can change. */
export const reviewLists: Record<ReviewStatus, MetricList> = {
  merged: reviewsOf([mergedWithComments, mergedWithoutComments]),
  closed: reviewsOf([closed]),
  all: reviewsOf([mergedWithComments, mergedWithoutComments, closed]),
};
