import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { connect, startDouble } from '../../../test/hosts/connected-host.ts';
import { fillForge, hostToken } from '../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../test/hosts/gitea/gitea-double.ts';
import { HostUnavailable } from './hosts/host.ts';
import { writeBudget } from './write-budget.ts';

const app = await startTestApp();
const double = await startDouble(new GiteaDouble());
fillForge(double);
const { id } = await connect(app, {
  provider: 'gitea',
  url: double.url,
  credentials: { token: hostToken },
  organizations: ['acme'],
});
const { sql } = app.database;
const budget = (perMinute: number, perHour: number) => writeBudget(app.database, id, { perMinute, perHour });
/** As if so much time had passed. */
const later = (seconds: number) =>
  sql`UPDATE connection_write_budgets SET counted_at = counted_at - make_interval(secs => ${seconds})`;
const forget = () => sql`DELETE FROM connection_write_budgets`;

/** How many writes there are at once, and how long the next one has to wait. */
async function spendAll(...budgets: ReturnType<typeof budget>[]) {
  let count = 0;
  for (;;)
    try {
      await budgets[count % budgets.length]!.spend();
      count += 1;
    } catch (error) {
      assert.ok(error instanceof HostUnavailable, String(error));
      return { count, wait: error.retryAfterSeconds! };
    }
}

test('all nodes together write no more than the limit in any hour', async () => {
  const { count, wait } = await spendAll(budget(10_000, 40), budget(10_000, 40));
  assert.equal(count, 10);
  assert.ok(wait > 60 && wait <= 120, String(wait));
  await later(3600);
  assert.equal((await spendAll(budget(10_000, 40))).count, 10, 'it fills up to its size, not beyond');
  let sum = 0;
  for (let step = 0; step < 12; step += 1) {
    await later(300);
    sum += (await spendAll(budget(10_000, 40))).count;
  }
  assert.ok(sum >= 29 && sum <= 33, String(sum));
});

test('a worker waits for a moment itself', async () => {
  await forget();
  const quick = budget(120, 100_000);
  // Two more than there are at once.
  await Promise.all(Array.from({ length: 32 }, () => quick.spend()));
});

test('a removed connection has nothing to count', async () => {
  await app.operator('DELETE', `/operator/v1/connections/${id}`);
  await budget(4, 4).spend();
});
