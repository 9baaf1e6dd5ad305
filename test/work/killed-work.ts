import type { Database } from '../../src/db/database.ts';
import type { Schedule } from '../../src/lib/schedule.ts';
import type { UnitOfWork } from '../../src/work/unit-of-work.ts';

// The work of work-survives-kill.test.ts: what nodes of its own are killed in, and what the node that is left goes on with.

/** Where a node is killed that does a unit of work. */
export const pointsOfUnits = [
  'before it is leased',
  'before it stores anything',
  'after it has stored',
  'at its end',
] as const;
export type Point = (typeof pointsOfUnits)[number];

export type Die = (point: Point | 'in a transaction of a schedule') => void;

/** Stores once that it was done, and under which lease. A kind for each point, so that a node takes only what it dies of. */
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

/** Does in one transaction what is due. */
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
