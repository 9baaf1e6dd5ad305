import assert from 'node:assert/strict';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { allInHand } from '../../src/lib/concurrency/in-hand.ts';
import type { Answer, TestApp } from '../harness.ts';
import type { Delivery, HostDouble } from './host-double.ts';

export const connectionsPath = '/operator/v1/connections';

/** Starts a fake host for a test file; it stops when the file is done. */
export async function startDouble<Double extends HostDouble>(double: Double): Promise<Double> {
  await double.start();
  after(() => double.stop());
  return double;
}

/**
 * Polls a condition; fails before the test run itself times out. The interval grows, because polling takes as much processor time
 * as the work itself, and other tests need it too.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  limitMs = 300_000,
  describe = () => 'the condition was not met in time',
): Promise<void> {
  const startMs = Date.now();
  while (!(await condition())) {
    const waitedMs = Date.now() - startMs;
    assert.ok(waitedMs < limitMs, describe());
    await sleep(Math.min(Math.max(25, waitedMs / 8), 250));
  }
}

/** Waits until a number no longer changes. It polls often, so that one delay of the machine counts as a single poll. */
export async function untilSteady(count: () => number): Promise<void> {
  for (let looks = 0, seen = count(); looks < 20; looks = count() === seen ? looks + 1 : 0) {
    seen = count();
    await sleep(25);
  }
}

/** Connects an account of the host to the app, with reviews only if requested, and returns the body of the answer. */
export async function connect(app: TestApp, request: Record<string, unknown>): Promise<Answer['json']> {
  const answer = await app.operator('POST', connectionsPath, { review: 'off', ...request });
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

/** Delivers a webhook request to the app as the host would. */
export function deliver(app: Pick<TestApp, 'call'>, { url, headers, body }: Delivery): Promise<Answer> {
  return app.call('POST', new URL(url).pathname, { body, headers: { ...headers } });
}

export async function runSchedule(app: TestApp, name: string): Promise<void> {
  await app.app.schedules.find((schedule) => schedule.name === name)!.run(AbortSignal.timeout(300_000));
}

/**
 * Waits while this process works on units, for a quarter of a second at most. Checking this first is free, whereas the database
 * needs six statements. The next unit starts shortly after another one has ended, so the pause must last.
 */
async function whileInHand(): Promise<void> {
  for (let looks = 0, quiet = 0; looks < 25 && quiet < 2; looks += 1) {
    quiet = allInHand().some(({ kind }) => kind === 'unit of work') ? 0 : quiet + 1;
    if (quiet < 2) await sleep(10);
  }
}

/**
 * Waits until all work of the connections is done, except for units in `putOff` that are not yet due; the workers must be
 * running.
 */
export async function settled(app: TestApp, putOff: readonly string[] = [], limitMs?: number): Promise<void> {
  let left: unknown[] = [];
  const describe = () => `still waiting or running: ${JSON.stringify(left)}`;
  let isFirst = true;
  const isSettled = async () => {
    if (!isFirst) await whileInHand();
    isFirst = false;
    await runSchedule(app, 'dispatch-deliveries');
    const { sql } = app.database;
    const waiting = await sql`
      SELECT 1 FROM hook_deliveries d JOIN connections c ON c.id = d.connection_id
      WHERE d.status = 'waiting' AND NOT c.paused LIMIT 1`;
    const states = await app.queue.state(sql);
    const busy = states.filter(
      ({ name, waiting, running }) => !putOff.includes(name) && waiting + running > 0,
    );
    // Queried last, and in one statement: the units above may have requested these, and they may start at any moment.
    const due =
      putOff.length === 0
        ? []
        : await sql`
            SELECT name, state FROM work.job WHERE name = ANY(${putOff}::text[])
              AND (state = 'active' OR (state IN ('created', 'retry') AND start_after <= now()))`;
    left = [...waiting, ...busy, ...due];
    return left.length === 0;
  };
  await until(isSettled, limitMs, describe);
}

/** The connection as the operator sees it. */
export async function show(app: TestApp, id: string): Promise<Answer['json']> {
  const answer = await app.operator('GET', `${connectionsPath}/${id}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}
