import type { Database } from '../../src/db/database.ts';
import type { Schedule } from '../../src/lib/schedule.ts';
import type { UnitOfWork } from '../../src/work/unit-of-work.ts';

// The work for work-survives-kill.test.ts: separate nodes are killed in it, and the remaining node continues it.

/** The points in a unit of work at which a node is killed. */
export const pointsOfUnits = [
  'before it is leased',
  'before it stores anything',
  'after it has stored',
  'at its end',
] as const;
export type Point = (typeof pointsOfUnits)[number];

export type Die = (point: Point | 'in a transaction of a schedule') => void;

/**
 * Stores once that it was done, and under which lease. There is a kind of unit for each point, so that a node takes only the one
 * that it is killed in.
 */
export function doneUnit({ sql }: Pick<Database, 'sql'>, point: Point, die: Die): UnitOfWork<object> {
  return {
    name: point.replaceAll(' ', '-'),
    atOnce: 1,
    maxSeconds: 3_600,
    retries: { count: 3, firstPauseSeconds: 1_800, maxPauseSeconds: 3_600 },
    turnOf() {
      if (point === 'before it is leased') die(point);
      return `turn of ${point}`;
    },
    async run(_, { lease }) {
      if (point === 'before it stores anything') die(point);
      await sql`INSERT INTO done (what, lease) VALUES (${point}, ${lease}) ON CONFLICT DO NOTHING`;
      if (point === 'after it has stored') die(point);
      if (point === 'at its end') setImmediate(() => die(point));
    },
  };
}

/** A schedule that does all due work in one transaction. */
export function dueSchedule(database: Database, die: Die): Schedule {
  return {
    name: 'do what is due',
    intervalMs: 200,
    run: () =>
      database.transaction(async (tx) => {
        const due = await tx<{ what: string }[]>`DELETE FROM due RETURNING what`;
        for (const { what } of due) await tx`INSERT INTO done (what) VALUES (${what})`;
        if (due.length > 0) die('in a transaction of a schedule');
      }),
  };
}
