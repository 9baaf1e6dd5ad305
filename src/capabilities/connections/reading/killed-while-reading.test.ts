import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startDouble } from '../../../../test/hosts/connected-host.ts';
import { connectProcess, deliverTo, untilSeen } from '../../../../test/hosts/connected-process.ts';
import { fillForge } from '../../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../../test/hosts/gitea/gitea-double.ts';
import { createPostilProcess } from '../../../../test/postil-process.ts';

const postil = await createPostilProcess();
after(() => postil.remove());

// biome-ignore lint/suspicious/noExplicitAny: the test fails if an expected field is missing
const call = async (...request: Parameters<typeof postil.call>): Promise<any> =>
  (await postil.call(...request)).json;

test('kill -9 while the host is being read loses and duplicates nothing', {
  timeout: 900_000,
}, async () => {
  const gitea = await startDouble(new GiteaDouble());
  const forge = fillForge(gitea);
  const open = [gitea.state.open(forge.app, forge.ada), gitea.state.open(forge.app, forge.ada)];
  await postil.start();
  // One of those that were open before is being read when the process dies.
  let isListing = false;
  gitea.fault = ({ path: asked }) => {
    if (!asked.endsWith(`/pulls/${open[0]!.number}`)) return undefined;
    isListing = true;
    return 'stall';
  };
  const at = await connectProcess(postil, gitea);
  await untilSeen('the listing', () => isListing);

  const pull = gitea.state.open(forge.app, forge.ada);
  gitea.state.end(pull, 'merged');
  let stalled = false;
  gitea.fault = ({ path: asked }) => {
    if (!asked.endsWith(`/pulls/${pull.number}`)) return undefined;
    stalled = true;
    return 'stall';
  };
  const sent = gitea.takeDeliveries();
  await deliverTo(postil, sent);
  await untilSeen('the reading', () => stalled);
  await postil.kill();
  gitea.fault = () => undefined;

  await postil.start();
  await deliverTo(postil, sent);
  await untilSeen('the end', async () => (await call('GET', at)).health.waiting === 0);
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
  const isRead = ({ number }: { number: number }) =>
    gitea.requests.some(({ path, status }) => path.endsWith(`/pulls/${number}`) && status === 200);
  await untilSeen('what was open', () => open.every(isRead));
});
