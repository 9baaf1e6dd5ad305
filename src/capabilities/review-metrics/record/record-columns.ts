import { arrayLiteral, plainArrayLiteral } from '../../../db/driver/array-literal.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import type { PullRequestKey, PullRequestState } from '../../pull-requests/pull-request-state.ts';
import { spanSizes } from '../order/day-spans.ts';
import { countsText, entryText, factsText, parseFindings } from './entry-text.ts';
import { classOf, finishDayOf, type ReviewRecord } from './pull-request-record.ts';

/** A record with the key of its pull request. */
export interface KeyedRecord {
  readonly key: PullRequestKey;
  readonly record: ReviewRecord;
}

/** A record with its storage and its positions in the write order; for `insertStatement`, relative to the first one. */
export interface PositionedRecord extends KeyedRecord {
  readonly storageId: number;
  readonly writeSeq: number | null;
  readonly mcpSeq: number | null;
}

/** The columns of a pull request and its metrics from which a record is restored. */
export interface StoredRow {
  organization_id: OrganizationId;
  repository_id: RepositoryId;
  number: number;
  url: string;
  state: PullRequestState;
  event_time: Date;
  author_id: string | null;
  author_username: string | null;
  created_at: Date;
  ready_for_review_at: Date | null;
  first_human_review_at: Date | null;
  last_commit_at: Date | null;
  merged_at: Date | null;
  closed_at: Date | null;
  review_iterations: number | null;
  estimated_complexity: number | null;
  estimated_review_minutes: number | null;
  findings_time: Date | null;
  finding_facts: string | null;
  mcp_time: Date | null;
  mcp_servers: string | null;
  entry: string | null;
  entry_head: string | null;
  write_seq: number | null;
  mcp_seq: number | null;
}

/** Restores a record from its stored row. */
export function toRecord(row: StoredRow): KeyedRecord {
  return {
    key: { organizationId: row.organization_id, repositoryId: row.repository_id, number: row.number },
    record: {
      pullRequest: {
        url: row.url,
        state: row.state,
        eventTime: row.event_time,
        authorId: row.author_id,
        authorUsername: row.author_username,
        createdAt: row.created_at,
        readyForReviewAt: row.ready_for_review_at,
        firstHumanReviewAt: row.first_human_review_at,
        lastCommitAt: row.last_commit_at,
        mergedAt: row.merged_at,
        closedAt: row.closed_at,
        reviewIterations: row.review_iterations,
        estimatedComplexity: row.estimated_complexity,
        estimatedReviewMinutes: row.estimated_review_minutes,
      },
      head: row.entry_head,
      ...parseFindings(row.entry, row.finding_facts),
      findingsTimeMs: row.findings_time?.getTime() ?? null,
      mcp:
        row.mcp_servers === null || row.mcp_time === null
          ? null
          : { servers: row.mcp_servers, timeMs: row.mcp_time.getTime() },
      position: row.write_seq,
      mcpPosition: row.mcp_seq,
    },
  };
}

// Control characters are always escaped in JSON text, and JSON text is never empty, so lists of them need no quoting.
const jsonSeparator = '\x1f';

interface Column {
  readonly name: string;
  /** A database type, `json` for JSON text, or `instant` for milliseconds, which are cheaper than dates. */
  readonly type: string;
  value(item: PositionedRecord): string | number | null;
}

const keyColumns: readonly Column[] = [
  { name: 'organization_id', type: 'uuid', value: ({ key }) => key.organizationId },
  { name: 'repository_id', type: 'uuid', value: ({ key }) => key.repositoryId },
  { name: 'number', type: 'int', value: ({ key }) => key.number },
];

const ownColumns: readonly Column[] = [
  { name: 'author_id', type: 'text', value: ({ record }) => record.pullRequest.authorId },
  { name: 'author_username', type: 'text', value: ({ record }) => record.pullRequest.authorUsername },
  { name: 'created_at', type: 'instant', value: ({ record }) => record.pullRequest.createdAt.getTime() },
  {
    name: 'ready_for_review_at',
    type: 'instant',
    value: ({ record }) => record.pullRequest.readyForReviewAt?.getTime() ?? null,
  },
  {
    name: 'first_human_review_at',
    type: 'instant',
    value: ({ record }) => record.pullRequest.firstHumanReviewAt?.getTime() ?? null,
  },
  {
    name: 'last_commit_at',
    type: 'instant',
    value: ({ record }) => record.pullRequest.lastCommitAt?.getTime() ?? null,
  },
  {
    name: 'merged_at',
    type: 'instant',
    value: ({ record }) => record.pullRequest.mergedAt?.getTime() ?? null,
  },
  {
    name: 'closed_at',
    type: 'instant',
    value: ({ record }) => record.pullRequest.closedAt?.getTime() ?? null,
  },
  { name: 'review_iterations', type: 'int', value: ({ record }) => record.pullRequest.reviewIterations },
  {
    name: 'estimated_complexity',
    type: 'smallint',
    value: ({ record }) => record.pullRequest.estimatedComplexity,
  },
  {
    name: 'estimated_review_minutes',
    type: 'float8',
    value: ({ record }) => record.pullRequest.estimatedReviewMinutes,
  },
  { name: 'findings_time', type: 'instant', value: ({ record }) => record.findingsTimeMs },
  { name: 'finding_facts', type: 'json', value: ({ record }) => factsText(record) },
  { name: 'entry', type: 'json', value: ({ record }) => entryText(record) },
  { name: 'comment_counts', type: 'json', value: ({ record }) => countsText(record) },
  { name: 'mcp_time', type: 'instant', value: ({ record }) => record.mcp?.timeMs ?? null },
  { name: 'mcp_servers', type: 'json', value: ({ record }) => record.mcp?.servers ?? null },
  { name: 'entry_head', type: 'json', value: ({ record }) => record.head },
  { name: 'write_seq', type: 'bigint', value: ({ writeSeq }) => writeSeq },
  { name: 'mcp_seq', type: 'bigint', value: ({ mcpSeq }) => mcpSeq },
];

// The statement computes the slots from these two.
const slotColumns: readonly Column[] = [
  { name: 'day', type: 'int', value: ({ record }) => finishDayOf(record) },
  { name: 'class', type: 'int', value: ({ record }) => classOf(record) },
];
const slots = spanSizes.map((size) => ({ name: `slot_${size}`, value: `(r.day / ${size}) * 4 + r.class` }));

const sent = [...keyColumns, ...ownColumns, ...slotColumns];

function read({ name, type }: Column): string {
  return type === 'instant' ? `to_timestamp(r.${name} / 1000)` : `r.${name}`;
}

function list(texts: readonly string[]): string {
  return texts.join(', ');
}

function source(columns: readonly Column[]): string {
  const arrays = columns.map(({ type }, index) => {
    if (type === 'json') return `string_to_array($${index + 1}::text, E'\\x1f', '')`;
    return `$${index + 1}::${type === 'instant' ? 'float8' : type}[]`;
  });
  return `unnest(${list(arrays)}) AS r (${list(columns.map(({ name }) => name))})`;
}

/** The values of all records, one array per column, as parameters of the two statements below. */
export function columnArrays(records: readonly PositionedRecord[], isInsert: boolean): string[] {
  const columns = isInsert ? [...sent, storageColumn] : sent;
  return columns.map(({ type, value }) => {
    const values = records.map(value);
    if (type === 'json') return values.join(jsonSeparator);
    return type === 'text' ? arrayLiteral(values) : plainArrayLiteral(values);
  });
}

const storageColumn: Column = { name: 'storage_id', type: 'int', value: ({ storageId }) => storageId };
const inserted = [...keyColumns, ...ownColumns, storageColumn];

const insertSource = [...sent, storageColumn];
const positions = new Set(['write_seq', 'mcp_seq']);

/** Inserts new rows; the parameter after the arrays is the position that theirs are relative to. */
export const insertStatement = `
  INSERT INTO review_metrics (${list([...inserted, ...slots].map(({ name }) => name))})
  SELECT ${list([
    ...inserted.map((column) =>
      positions.has(column.name) ? `${read(column)} + $${insertSource.length + 1}::bigint` : read(column),
    ),
    ...slots.map(({ value }) => value),
  ])}
  FROM ${source(insertSource)}`;

/** Replaces existing rows in these storages. */
export function updateStatement(storages: string): string {
  const changes = [
    ...ownColumns.map((column) => `${column.name} = ${read(column)}`),
    ...slots.map(({ name, value }) => `${name} = ${value}`),
  ];
  return `
    UPDATE review_metrics m SET ${list(changes)} FROM ${source(sent)}
    WHERE m.storage_id IN (${storages})
      AND m.organization_id = r.organization_id AND m.repository_id = r.repository_id AND m.number = r.number`;
}
