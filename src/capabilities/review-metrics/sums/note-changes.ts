import type { Tx } from '../../../db/database.ts';
import { plainArrayLiteral } from '../../../db/driver/array-literal.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import { finishDayOf, type ReviewRecord } from '../record/pull-request-record.ts';
import { addComments, type CommentCounts, isCounted, noComments } from './comment-counts.ts';

/** A record as it was stored, if it was, and as it is now. */
interface RecordChange {
  readonly key: PullRequestKey;
  readonly stored: ReviewRecord | undefined;
  readonly record: ReviewRecord;
}

interface DayChange {
  readonly key: PullRequestKey;
  readonly day: number;
  readonly counts: CommentCounts;
}

/** What the changes of the records change in the counts of each repository and day. */
function changesByDay(changes: readonly RecordChange[]): DayChange[] {
  const byDay = new Map<string, DayChange>();
  const add = (key: PullRequestKey, record: ReviewRecord, sign: 1 | -1) => {
    const day = finishDayOf(record);
    const text = `${key.organizationId}/${key.repositoryId}/${day}`;
    let change = byDay.get(text);
    if (change === undefined) {
      change = { key, day, counts: noComments() };
      byDay.set(text, change);
    }
    addComments(change.counts, record, sign);
  };
  for (const { key, stored, record } of changes) {
    if (stored !== undefined && isCounted(stored)) add(key, stored, -1);
    if (isCounted(record)) add(key, record, 1);
  }
  return [...byDay.values()].filter(({ counts }) => counts.some((count) => count !== 0));
}

const separator = ';';

/**
 * Prepares the changes of the daily sums for the transaction that changes the records. They are only noted: writers that
 * updated the sums themselves would wait for each other at the sums of today (ADR 0014).
 */
export function prepareNotes(records: readonly RecordChange[]) {
  const changes = changesByDay(records);
  if (changes.length === 0) return async () => {};
  const organizationIds = plainArrayLiteral(changes.map(({ key }) => key.organizationId));
  const repositoryIds = plainArrayLiteral(changes.map(({ key }) => key.repositoryId));
  const days = plainArrayLiteral(changes.map(({ day }) => day));
  const counts = changes.map((change) => plainArrayLiteral(change.counts)).join(separator);
  return async (tx: Tx): Promise<void> => {
    await tx`
      INSERT INTO comment_sum_changes (organization_id, repository_id, day, counts)
      SELECT organization_id, repository_id, day, counts::int[]
      FROM unnest(${organizationIds}::uuid[], ${repositoryIds}::uuid[], ${days}::int[],
        string_to_array(${counts}, ${separator})) AS c (organization_id, repository_id, day, counts)`;
  };
}
