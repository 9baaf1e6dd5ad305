import type { Database, Db, Fragment, Tx } from '../../../db/database.ts';
import type { Schedule } from '../../../lib/schedule.ts';
import type { Attempt, UnitOfWork } from '../../../work/unit-of-work.ts';
import type { WorkQueue } from '../../../work/work-queue.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import { startOptions } from './note-pull-request.ts';

/** Work that has been due for longer than this was lost by the queue. */
const patienceMs = 120_000;
const maxAtOnce = 1_000;

export interface FollowUpDeps {
  readonly database: Database;
  readonly queue: WorkQueue;
  readonly clock: () => Date;
}

/** Work that has to be done whenever a pull request was read. */
export interface FollowUp extends Omit<UnitOfWork<PullRequestKey>, 'run'> {
  readonly kind: 'evaluation' | 'answers' | 'checks' | 'questions';
  /** Must be idempotent: it can run at any time, repeatedly, and on any node. */
  run(key: PullRequestKey, attempt: Attempt): Promise<void>;
}

function columnOf(db: Db, kind: FollowUp['kind']): Fragment {
  switch (kind) {
    case 'evaluation':
      return db`evaluation_due_at`;
    case 'answers':
      return db`answers_due_at`;
    case 'checks':
      return db`checks_due_at`;
    case 'questions':
      return db`questions_due_at`;
  }
}

const isNumber = (db: Db, { repositoryId, number }: PullRequestKey) =>
  db`repository_id = ${repositoryId} AND number = ${number}`;

/**
 * A unit of work about one pull request that stays due in the database until it is done. A schedule enqueues it again if the
 * queue loses it, for example after a restored backup.
 */
export function followUpWork({ database, queue, clock }: FollowUpDeps, { kind, run, ...options }: FollowUp) {
  const unit: UnitOfWork<PullRequestKey> = {
    ...options,
    async run(key, attempt) {
      const { sql } = database;
      const column = columnOf(sql, kind);
      const [row] = await sql<{ due: Date | null }[]>`
        SELECT ${column} AS due FROM reviewed_pull_requests
        WHERE organization_id = ${key.organizationId} AND ${isNumber(sql, key)}`;
      await run(key, attempt);
      // If it became due again while it ran, the later due time stays, and another unit is enqueued.
      await sql`
        UPDATE reviewed_pull_requests SET ${column} = NULL
        WHERE organization_id = ${key.organizationId} AND ${isNumber(sql, key)} AND ${column} <= ${row?.due ?? null}`;
    },
  };
  const requeue: Schedule = {
    name: `requeue ${options.name}`,
    intervalMs: 60_000,
    async run() {
      const { sql } = database;
      const before = new Date(clock().getTime() - patienceMs);
      const lost = await sql<PullRequestKey[]>`
        SELECT organization_id AS "organizationId", repository_id AS "repositoryId", number FROM reviewed_pull_requests
        WHERE ${columnOf(sql, kind)} < ${before} LIMIT ${maxAtOnce}`;
      if (lost.length === 0) return;
      const work = lost.map((data) => ({ data, options: startOptions(data) }));
      await queue.enqueueAll(sql, unit, work);
      queue.wake(unit.name);
    },
  };
  /** Makes the work due and enqueues it if the transaction is committed; the caller wakes the unit afterwards. */
  async function requestIn(tx: Tx, { organizationId, repositoryId, number }: PullRequestKey): Promise<void> {
    const key = { organizationId, repositoryId, number };
    const column = columnOf(tx, kind);
    // Later than the due time that a running unit has read, so that it does not mark this request as done.
    await tx`
      UPDATE reviewed_pull_requests SET ${column} = greatest(${clock()}, ${column} + interval '1 millisecond')
      WHERE organization_id = ${organizationId} AND ${isNumber(tx, key)}`;
    await queue.enqueue(tx, unit, key, startOptions(key));
  }
  /** Makes the work due, enqueues it and wakes the unit. */
  async function request(key: PullRequestKey): Promise<void> {
    await database.transaction((tx) => requestIn(tx, key));
    queue.wake(unit.name);
  }
  return { unit, requeue, request, requestIn };
}

export type FollowUpWork = ReturnType<typeof followUpWork>;
