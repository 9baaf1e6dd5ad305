import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { patienceMs } from './forgejo.ts';

/** Waits for what an emulated forge takes long to do. */
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
