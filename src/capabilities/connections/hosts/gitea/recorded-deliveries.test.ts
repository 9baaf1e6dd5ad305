import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gitea } from './gitea-provider.ts';

interface Recorded {
  readonly secret: string;
  readonly deliveries: readonly { id: string; headers: Record<string, string>; body: string }[];
}

const file = new URL('../../../../../test/hosts/recorded/forgejo-1.21.json', import.meta.url);
const { secret, deliveries } = JSON.parse(readFileSync(file, 'utf8')) as Recorded;

test('recorded deliveries of a real Forgejo are verified, keep their id, and point to the pull request', async () => {
  const seen = [];
  for (const { id, headers, body } of deliveries) {
    const delivery = { headers, body: Buffer.from(body) };
    assert.ok(await gitea.verify(delivery, ['another secret', secret]), id);
    assert.equal(await gitea.verify(delivery, ['another secret']), false);
    const tampered = { headers, body: Buffer.from(body.replace('"number":', '"number" :')) };
    assert.equal(await gitea.verify(tampered, [secret]), false);
    assert.equal(gitea.identify(delivery).deliveryId, id);
    assert.deepEqual(gitea.hintOf(delivery), { kind: 'pull_request', repositoryId: '1', number: 1 });
    seen.push(gitea.identify(delivery).event);
  }
  assert.deepEqual(seen.sort(), [
    'pull_request',
    'pull_request',
    'pull_request_comment',
    'pull_request_review_comment',
    'pull_request_sync',
  ]);
});

test('any one of the signatures that Forgejo sends is sufficient', async () => {
  const names = ['x-gitea-signature', 'x-forgejo-signature', 'x-gogs-signature', 'x-hub-signature-256'];
  for (const { headers, body } of deliveries)
    for (const name of names) {
      const others = Object.entries(headers).filter(([key]) => key === name || !names.includes(key));
      const delivery = { headers: Object.fromEntries(others), body: Buffer.from(body) };
      assert.ok(await gitea.verify(delivery, [secret]), name);
    }
});
