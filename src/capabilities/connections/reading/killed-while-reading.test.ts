import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDouble } from '../../../../test/hosts/connected-host.ts';
import { fillForge, hostToken } from '../../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../../test/hosts/gitea/gitea-double.ts';
import { createPostilProcess } from '../../../../test/postil-process.ts';

const postil = await createPostilProcess();
after(() => postil.remove());

// biome-ignore lint/suspicious/noExplicitAny: the test fails if an expected field is missing
const call = async (...request: Parameters<typeof postil.call>): Promise<any> =>
  (await postil.call(...request)).json;

/** Waits longer than it takes until the work of a dead process is given to another. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 240_000;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, 'what was waited for did not come about');
    await sleep(200);
  }
}

test('kill -9 while the host is being read loses and duplicates nothing', {
  timeout: 500_000,
}, async () => {
  const gitea = await startDouble(new GiteaDouble());
  const forge = fillForge(gitea);
  await postil.start();
  const connection = await call('POST', '/operator/v1/connections', {
    provider: 'gitea',
    url: gitea.url,
    instance: 'git',
    credentials: { token: hostToken },
    organizations: ['acme'],
  });
  const at = `/operator/v1/connections/${connection.id}`;
  await until(async () => (await call('GET', at)).synced_at !== null);

  const pull = gitea.state.open(forge.app, forge.ada);
  gitea.state.end(pull, 'merged');
  let stalled = false;
  gitea.fault = ({ path: asked }) => {
    if (!asked.endsWith(`/pulls/${pull.number}`)) return undefined;
    stalled = true;
    return 'stall';
  };
  const sent = gitea.takeDeliveries();
  const post = async () => {
    for (const { headers, body, url: hook } of sent) {
      const answer = await fetch(`${postil.url()}${new URL(hook).pathname}`, {
        method: 'POST',
        headers,
        body,
      });
      assert.equal(answer.status, 202);
    }
  };
  await post();
  await until(async () => stalled);
  await postil.kill();
  gitea.fault = () => undefined;

  await postil.start();
  await post();
  await until(async () => (await call('GET', at)).health.waiting === 0);
  const { data } = await call('GET', `${at}/deliveries`);
  assert.deepEqual(
    data.map(({ status }: { status: string }) => status),
    sent.map(() => 'done'),
    'each delivery is kept once, and done',
  );
  const { organizations } = await call('GET', '/operator/v1/platform');
  const { value } = await call('POST', '/operator/v1/keys', {
    kind: 'legacy',
    name: 'test',
    provider: 'gitea',
    org_id: organizations[0].provider_organization_id,
    instance: 'git',
  });
  const day = gitea.state.now.toISOString().slice(0, 10);
  const window = `start_date=${day}&end_date=${day}`;
  const metrics = await call('GET', `/v1/metrics/reviews?${window}`, undefined, value);
  assert.equal(metrics.data.length, 1, JSON.stringify(metrics));
});
