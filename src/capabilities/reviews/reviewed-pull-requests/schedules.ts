import type { Schedule } from '../../../lib/schedule.ts';
import type { Mirrors } from '../mirror/mirrors.ts';
import { type NoteDeps, startOptions } from './note-pull-request.ts';
import { findDuePullRequests } from './pull-request-store.ts';

/** An older due review that nobody works on was lost by the queue. */
const patienceMs = 120_000;
const maxAtOnce = 1_000;

/** Enqueues reviews again that the queue has lost, and keeps the mirrors within their size limit. */
export function pullRequestSchedules({
  database,
  queue,
  startUnit,
  mirrors,
  clock,
}: NoteDeps & { readonly mirrors: Mirrors; readonly clock: () => Date }): Schedule[] {
  return [
    {
      name: 'requeue due reviews',
      intervalMs: 60_000,
      async run() {
        const before = new Date(clock().getTime() - patienceMs);
        const due = await findDuePullRequests(database.sql, before, maxAtOnce);
        if (due.length === 0) return;
        const work = due.map((data) => ({ data, options: startOptions(data) }));
        await queue.enqueueAll(database.sql, startUnit, work);
        queue.wake(startUnit.name);
      },
    },
    { name: 'trim mirrors', intervalMs: 60 * 60_000, run: () => mirrors.trim(new Date()) },
  ];
}
