import type { Database, Db, Fragment, Tx } from '../../../db/database.ts';
import type { Schedule } from '../../../lib/schedule.ts';
import type { Attempt, UnitOfWork } from '../../../work/unit-of-work.ts';
import type { WorkQueue } from '../../../work/work-queue.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import { startOptions } from './note-pull-request.ts';

/** Work that is due for longer, and that nobody does, was lost by the queue. */
const patienceMs = 120_000;
const maxAtOnce = 1_000;

export interface FollowUpDeps {
  readonly database: Database;
  readonly queue: WorkQueue;
  readonly clock: () => Date;
}

/** What is done about a pull request whenever it was read. */
export interface FollowUp extends Omit<UnitOfWork<PullRequestKey>, 'run'> {
  readonly kind: 'evaluation' | 'answers' | 'checks' | 'questions';
  /** Idempotent: it may run at any time, twice, and on any node. */
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
 * A unit of work about one pull request that stays due until it is done: what a queue has lost, as after a restored backup,
 * is given to it again.
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
      // Read again meanwhile: then another unit waits.
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
  /** Has the work done soon, if the transaction is committed; whoever committed it wakes the unit. */
  async function requestIn(tx: Tx, { organizationId, repositoryId, number }: PullRequestKey): Promise<void> {
    const key = { organizationId, repositoryId, number };
    const column = columnOf(tx, kind);
    // Later than what a unit that is under way has seen, so that it does not count this as done.
    await tx`
      UPDATE reviewed_pull_requests SET ${column} = greatest(${clock()}, ${column} + interval '1 millisecond')
      WHERE organization_id = ${organizationId} AND ${isNumber(tx, key)}`;
    await queue.enqueue(tx, unit, key, startOptions(key));
  }
  /** Has the work done soon. */
  async function request(key: PullRequestKey): Promise<void> {
    await database.transaction((tx) => requestIn(tx, key));
    queue.wake(unit.name);
  }
  return { unit, requeue, request, requestIn };
}

export type FollowUpWork = ReturnType<typeof followUpWork>;
