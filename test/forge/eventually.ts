import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { patienceMs } from './forgejo.ts';

/** Polls until the function returns a value, for things that take an emulated forge long. */
export async function eventually<Value>(
  what: string,
  look: () => Promise<Value | undefined>,
): Promise<Value> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    assert.ok(Date.now() < deadline, `${what} did not happen in time`);
    await sleep(500);
  }
}
