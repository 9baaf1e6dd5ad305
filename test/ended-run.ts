import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, TestApp } from './harness.ts';

/**
 * The run as the API shows it once it has ended; the time limit is the test's own. Waits in the database: asking the API again
 * and again would exceed its limit when the run takes long, and fail all tests after it.
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
