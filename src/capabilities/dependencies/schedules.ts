import type { Database } from '../../db/database.ts';
import type { Schedule } from '../../lib/schedule.ts';
import type { UnitOfWork } from '../../work/unit-of-work.ts';
import type { WorkQueue } from '../../work/work-queue.ts';
import type { InventoryKey } from './inventory-record.ts';

const beginIntervalMs = 10 * 60_000;
const checkIntervalMs = 60_000;
const maxAtOnce = 200;

export interface InventoryScheduleDeps {
  readonly database: Database;
  readonly queue: WorkQueue;
  readonly clock: () => Date;
  readonly unit: UnitOfWork<InventoryKey>;
}

/** Adds inventories for repositories that a connection has started to review. */
export async function beginInventories({ database, clock }: InventoryScheduleDeps): Promise<void> {
  await database.sql`
    INSERT INTO repository_inventories (organization_id, repository_id, due_at)
    SELECT DISTINCT r.organization_id, r.id, ${clock()}::timestamptz
    FROM connections c JOIN connection_repositories s ON s.connection_id = c.id
    JOIN repositories r ON r.organization_id = s.organization_id AND r.id = s.repository_id
    WHERE c.review = 'on' AND r.active
      AND NOT EXISTS (SELECT FROM repository_inventories i WHERE i.organization_id = r.organization_id AND i.repository_id = r.id)
    ON CONFLICT DO NOTHING`;
}

/** Enqueues due inventories, the longest overdue first. */
async function startDue({ database, queue, clock, unit }: InventoryScheduleDeps): Promise<void> {
  const due = await database.sql<InventoryKey[]>`
    SELECT organization_id AS "organizationId", repository_id AS "repositoryId" FROM repository_inventories
    WHERE due_at <= ${clock()} ORDER BY due_at LIMIT ${maxAtOnce}`;
  if (due.length === 0) return;
  const work = due.map((data) => ({
    data,
    options: { key: `${data.organizationId} ${data.repositoryId}`, group: data.organizationId },
  }));
  await queue.enqueueAll(database.sql, unit, work);
  queue.wake(unit.name);
}

export function inventorySchedules(deps: InventoryScheduleDeps): Schedule[] {
  return [
    { name: 'begin inventories', intervalMs: beginIntervalMs, run: () => beginInventories(deps) },
    { name: 'read due inventories', intervalMs: checkIntervalMs, run: () => startDue(deps) },
  ];
}
