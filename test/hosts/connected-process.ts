import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostilProcess } from '../postil-process.ts';
import { hostToken } from './forge/sample-forge.ts';
import type { Delivery, HostDouble } from './host-double.ts';

/**
 * Polls with a timeout that is longer than the takeover of a dead process's work, and an interval that respects the rate limits
 * of the polled endpoints.
 */
export async function untilSeen(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 300_000;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, `${what} did not come about`);
    await sleep(200);
  }
}

/** Connects the process to the double of Gitea, waits for the first sync and returns the path of the connection. */
export async function connectProcess(postil: PostilProcess, gitea: HostDouble): Promise<string> {
  const { status, json } = await postil.call('POST', '/operator/v1/connections', {
    provider: 'gitea',
    url: gitea.url,
    instance: 'git',
    credentials: { token: hostToken },
    organizations: ['acme'],
  });
  assert.equal(status, 201, JSON.stringify(json));
  const path = `/operator/v1/connections/${json.id}`;
  await untilSeen('the sync', async () => (await postil.call('GET', path)).json.synced_at !== null);
  return path;
}

/** Delivers webhook requests to the process as the host would. */
export async function deliverTo(postil: PostilProcess, deliveries: readonly Delivery[]): Promise<void> {
  for (const { url, headers, body } of deliveries) {
    const hook = new URL(new URL(url).pathname, postil.url());
    assert.equal((await fetch(hook, { method: 'POST', headers, body })).status, 202);
  }
}
