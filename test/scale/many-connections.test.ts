import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  type ConnectionScheduleDeps,
  connectionSchedules,
} from '../../src/capabilities/connections/schedules.ts';
import { newUuid } from '../../src/lib/uuid.ts';
import { createTestDatabase } from '../postgres.ts';

const own = await createTestDatabase();
after(() => own.drop());

const now = new Date('2026-06-01T12:00:00Z');

/** Adds connections that were created and last read at these times. */
async function addConnections(ids: readonly string[], createdAt: string, readAt: string): Promise<void> {
  const secret = newUuid();
  await own.database.sql`INSERT INTO sealed_secrets VALUES (${secret}, 'connection credentials', 'key', '')`;
  await own.database.sql`
    INSERT INTO connections (id, provider, url, account_id, account_username, credentials_id, webhook_secret_id, review, defaults,
      paused, created_at, synced_at, swept_at)
    SELECT id, 'github', 'https://github.com', '1', 'bot', ${secret}, ${secret}, 'off', '{}', false, ${createdAt}, ${readAt}, ${readAt}
    FROM unnest(${[...ids]}::uuid[]) AS id`;
}

test('a connection is read again when it is due, however many newer ones there are', async () => {
  const due = newUuid();
  await addConnections([due], '2026-01-01T00:00:00Z', '2026-06-01T10:00:00Z');
  const others = Array.from({ length: 10_000 }, () => newUuid());
  await addConnections(others, '2026-02-01T00:00:00Z', '2026-06-01T11:59:00Z');
  const started: string[] = [];
  const deps = {
    database: own.database,
    clock: () => now,
    units: { sync: { name: 'sync' }, sweep: { name: 'sweep' } },
    queue: {
      enqueue: async (_db: unknown, _unit: unknown, _data: unknown, { key }: { key: string }) =>
        void started.push(key),
      wake: () => {},
    },
  } as unknown as ConnectionScheduleDeps;
  const schedule = connectionSchedules(deps).find(({ name }) => name === 'start-due-readings')!;
  await schedule.run(new AbortController().signal);
  assert.deepEqual(started, [`${due} sync`, `${due} sweep`]);
});
