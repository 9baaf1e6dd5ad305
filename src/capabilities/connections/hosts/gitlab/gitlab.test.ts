import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../../test/harness.ts';
import {
  connect,
  connectionsPath,
  deliver,
  settled,
  startDouble,
} from '../../../../../test/hosts/connected-host.ts';
import { checkHost } from '../../../../../test/hosts/contracts/host-contract.ts';
import { GitLabDouble } from '../../../../../test/hosts/gitlab/gitlab-double.ts';

const app = await startTestApp();
const gitlab = await startDouble(new GitLabDouble());
await app.queue.startWorkers();
const { forge, id, asked } = await checkHost(app, gitlab, { provider: 'gitlab' });

test('with a Standard Webhooks secret, the signature covers id, time and body', async () => {
  const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`;
  for (const broken of ['whsec_!!notbase64!!', 'whsec_abcde', 'whsec_====']) {
    const refused = await app.operator('PATCH', `${connectionsPath}/${id}`, { webhook_secret: broken });
    assert.deepEqual([refused.status, refused.json.error.code], [400, 'INVALID_REQUEST'], refused.text);
    assert.match(refused.json.error.message, /^webhook_secret: /);
  }
  await app.operator('PATCH', `${connectionsPath}/${id}`, { webhook_secret: secret });
  await settled(app);
  assert.equal(forge.acme.hooks[0]!.secret, secret);
  gitlab.state.open(forge.app, forge.ada);
  const [delivery] = gitlab.takeDeliveries();
  assert.ok(delivery!.headers['webhook-signature']);
  const old = String(Math.floor(Date.now() / 1000) - 3600);
  for (const headers of [
    { ...delivery!.headers, 'webhook-timestamp': old },
    { ...delivery!.headers, 'webhook-id': 'another' },
    { ...delivery!.headers, 'webhook-signature': 'v1,AAAA' },
    { ...delivery!.headers, 'webhook-signature': 'nonsense' },
  ])
    assert.equal((await deliver(app, { ...delivery!, headers })).status, 401);
  assert.equal((await deliver(app, { ...delivery!, body: `${delivery!.body} ` })).status, 401);
  assert.equal((await deliver(app, delivery!)).status, 202);
  await settled(app);
});

test('if the edition does not support group hooks, each project gets one', async () => {
  gitlab.hasGroupHooks = false;
  await app.operator('DELETE', `${connectionsPath}/${id}`);
  const second = await connect(app, { ...asked, instance: 'free-edition' });
  await settled(app);
  const urls = [...gitlab.projectHooks.values()].flat().map(({ url }) => url);
  assert.deepEqual(urls, [second.webhook.url, second.webhook.url]);
  const { json } = await app.operator('POST', `${connectionsPath}/${second.id}/check`);
  const hook = json.checks.find(({ name }: { name: string }) => name === 'webhook of acme');
  assert.deepEqual([hook.ok, hook.message], [true, 'registered in 2 of 2 places']);
  await app.operator('DELETE', `${connectionsPath}/${second.id}`);
  assert.deepEqual([...gitlab.projectHooks.values()].flat(), []);
});
