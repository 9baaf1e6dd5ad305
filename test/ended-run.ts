import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, TestApp } from './harness.ts';

/**
 * Waits until a run has ended, and returns it as the API shows it; the test's own timeout applies. It polls the database, because
 * polling the API during a long run would exceed the rate limit and fail all later tests.
 */
export async function endedRun(
  { database, get }: Pick<TestApp, 'database' | 'get'>,
  id: string,
  key: string,
): Promise<Answer['json']> {
  for (;;) {
    const [run] = await database.sql`SELECT finished_at FROM review_runs WHERE id = ${id}`;
    if (run!.finished_at !== null) break;
    await sleep(50);
  }
  const answer = await get(`/v1/reviews/${id}`, key);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}
