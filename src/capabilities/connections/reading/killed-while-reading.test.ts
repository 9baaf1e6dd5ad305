import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../../../../test/child-environment.ts';
import { startDouble } from '../../../../test/hosts/connected-host.ts';
import { fillForge, hostToken } from '../../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../../test/hosts/gitea/gitea-double.ts';

const main = path.join(import.meta.dirname, '../../../main.ts');
const folder = await mkdtemp(path.join(tmpdir(), 'postil-killed-'));
const token = 'operator-token-of-the-tests';
let running: { readonly child: ChildProcess; readonly ended: Promise<unknown> } | undefined;
after(async () => {
  running?.child.kill('SIGTERM');
  await running?.ended;
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<string> {
  const child = spawn(process.execPath, [main], {
    env: {
      ...childEnvironment,
      POSTIL_PORT: '0',
      POSTIL_DATA_DIR: folder,
      POSTIL_OPERATOR_TOKEN: token,
      POSTIL_LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running = { child, ended: once(child, 'exit') };
  let out = '';
  for await (const chunk of child.stdout) {
    out += chunk;
    if (out.includes('\n')) break;
  }
  return /ready at (http:\S+)/.exec(out)![1]!;
}

// biome-ignore lint/suspicious/noExplicitAny: the test fails if an expected field is missing
async function call(url: string, method: string, at: string, options: any = {}): Promise<any> {
  const response = await fetch(`${url}${at}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...options.headers },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
  });
  return response.json();
}

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
  const first = await start();
  const connection = await call(first, 'POST', '/operator/v1/connections', {
    body: {
      provider: 'gitea',
      url: gitea.url,
      instance: 'git',
      credentials: { token: hostToken },
      organizations: ['acme'],
    },
  });
  const at = `/operator/v1/connections/${connection.id}`;
  await until(async () => (await call(first, 'GET', at)).synced_at !== null);

  const pull = gitea.state.open(forge.app, forge.ada);
  gitea.state.end(pull, 'merged');
  let stalled = false;
  gitea.fault = ({ path: asked }) => {
    if (!asked.endsWith(`/pulls/${pull.number}`)) return undefined;
    stalled = true;
    return 'stall';
  };
  const sent = gitea.takeDeliveries();
  const post = async (url: string) => {
    for (const { headers, body, url: hook } of sent) {
      const answer = await fetch(`${url}${new URL(hook).pathname}`, { method: 'POST', headers, body });
      assert.equal(answer.status, 202);
    }
  };
  await post(first);
  await until(async () => stalled);
  running!.child.kill('SIGKILL');
  await running!.ended;
  gitea.fault = () => undefined;

  const second = await start();
  await post(second);
  await until(async () => (await call(second, 'GET', at)).health.waiting === 0);
  const { data } = await call(second, 'GET', `${at}/deliveries`);
  assert.deepEqual(
    data.map(({ status }: { status: string }) => status),
    sent.map(() => 'done'),
    'each delivery is kept once, and done',
  );
  const { organizations } = await call(second, 'GET', '/operator/v1/platform');
  const { value } = await call(second, 'POST', '/operator/v1/keys', {
    body: {
      kind: 'legacy',
      name: 'test',
      provider: 'gitea',
      org_id: organizations[0].provider_organization_id,
      instance: 'git',
    },
  });
  const day = gitea.state.now.toISOString().slice(0, 10);
  const metrics = await call(second, 'GET', `/v1/metrics/reviews?start_date=${day}&end_date=${day}`, {
    headers: { 'x-service-api-key': value },
  });
  assert.equal(metrics.data.length, 1, JSON.stringify(metrics));
});
