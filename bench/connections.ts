import { createHmac, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../src/db/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { fillForge, hostToken } from '../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../test/hosts/gitea/gitea-double.ts';
import { urlOf } from '../test/postgres.ts';
import { startProcess, startServer } from './metrics/server-process.ts';

/**
 * Measures connections against a double of Gitea without limits, on a PostgreSQL that syncs to disk. The server is a process
 * of its own; the host and the sender of deliveries run in this one. The baseline, which commits one INSERT per delivery, gets
 * the same deliveries.
 */
const goals = { deliveries: 500, delayMs: 5_000, pullRequests: 50 };
const deliveries = Number(process.argv[2] ?? 5000);
const senders = 64;
const pulls = 1000;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const verdict = (isMet: boolean) => (isMet ? 'met' : 'MISSED');
const load = () => `load of the machine ${loadavg()[0]!.toFixed(1)}`;

const folder = await mkdtemp(path.join(tmpdir(), 'postil-bench-'));
const postgres = await startEmbeddedPostgres({ directory: folder, durable: true });
const database = openDatabase(postgres.target, { maxConnections: 2 });
const env = { DATABASE_URL: urlOf(postgres.target), POSTIL_DATA_DIR: path.join(folder, 'data') };
const server = await startServer(env);
const gitea = await new GiteaDouble().start();
const forge = fillForge(gitea);

const { id, webhook } = await server.operator('POST', '/connections', {
  provider: 'gitea',
  url: gitea.url,
  credentials: { token: hostToken },
  organizations: ['acme'],
});
const at = `/connections/${id}`;
while ((await server.operator('GET', at)).health.last_read_at === null) await sleep(50);
await sleep(1000);

const agent = new http.Agent({ keepAlive: true, maxSockets: senders });

function deliver(url: string, number: number): Promise<void> {
  const body = JSON.stringify({ number, pull_request: { number }, repository: { id: forge.app.id } });
  const signature = createHmac('sha256', webhook.secret).update(body).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-gitea-event': 'pull_request',
    'x-gitea-delivery': randomUUID(),
    'x-gitea-signature': signature,
  };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  http
    .request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().once('end', () => {
        if (response.statusCode === 202) resolve();
        else reject(new Error(`a delivery was answered ${response.statusCode}`));
      });
    })
    .once('error', reject)
    .end(body);
  return promise;
}

const hook = `${server.url}/hooks/${id}`;

async function mergedToMetrics(): Promise<number> {
  const pull = gitea.state.open(forge.app, forge.ada);
  gitea.state.end(pull, 'merged');
  const start = performance.now();
  await deliver(hook, pull.number);
  for (;;) {
    const rows = await database.sql`
      SELECT 1 FROM review_metrics WHERE number = ${pull.number} AND merged_at IS NOT NULL`;
    if (rows.length > 0) return performance.now() - start;
    await sleep(5);
  }
}

/** Deliveries per second, cycling through 50 pull requests. */
async function sendAll(url: string, count: number): Promise<number> {
  let sent = 0;
  const start = performance.now();
  async function sendSome(): Promise<void> {
    while (sent < count) {
      sent += 1;
      await deliver(url, (sent % 50) + 1);
    }
  }
  await Promise.all(Array.from({ length: senders }, sendSome));
  return count / ((performance.now() - start) / 1000);
}

const delays: number[] = [];
for (let index = 0; index < 50; index += 1) delays.push(await mergedToMetrics());
delays.sort((a, b) => a - b);
print(
  `merged pull request to metrics: ${delays[25]!.toFixed(0)} ms (median of 50), ${delays.at(-1)!.toFixed(0)} ms (slowest); ` +
    `goal ${goals.delayMs} ms: ${verdict(delays.at(-1)! <= goals.delayMs)} (${load()})`,
);

const plain = await startProcess('bench/connections/plain-hooks.ts', {
  ...env,
  WEBHOOK_SECRET: webhook.secret,
});
await sendAll(plain.url, 500);
const plainCpuBefore = await plain.cpuSeconds();
const plainRate = await sendAll(plain.url, deliveries);
const plainPerCpuSecond = deliveries / ((await plain.cpuSeconds()) - plainCpuBefore);
await plain.stop();
const [before] = await database.sql<[{ count: number }]>`SELECT count(*)::int FROM hook_deliveries`;
await sendAll(hook, 500);
const cpuBefore = await server.cpuSeconds();
const rate = await sendAll(hook, deliveries);
const perCpuSecond = deliveries / ((await server.cpuSeconds()) - cpuBefore);
const [after] = await database.sql<[{ count: number }]>`SELECT count(*)::int FROM hook_deliveries`;
const kept = after.count - before.count;
print(
  `deliveries received durably: ${rate.toFixed(0)} a second (${deliveries} over ${senders} connections); ` +
    `goal ${goals.deliveries}: ${verdict(rate >= goals.deliveries)}; ${kept} of ${deliveries + 500} stored (${load()})`,
);
print(
  `  plain way (Fastify, one INSERT each): ${plainRate.toFixed(0)} a second; ratio ${(rate / plainRate).toFixed(2)}`,
);
print(
  `  per second of the process's CPU time: ${perCpuSecond.toFixed(0)}, with the reading that they cause; plain way ${plainPerCpuSecond.toFixed(0)}`,
);
const drained = performance.now();
while ((await server.operator('GET', at)).health.waiting > 0) await sleep(20);
print(`  worked on ${((performance.now() - drained) / 1000).toFixed(1)} s after the last one`);

for (let index = 0; index < pulls; index += 1)
  gitea.state.end(gitea.state.open(forge.app, forge.ada), 'merged');
const began = performance.now();
await server.operator('POST', `${at}/backfill`, { since: '2026-01-01' });
while ((await server.operator('GET', at)).backfill.state !== 'done') await sleep(50);
const took = (performance.now() - began) / 1000;
const { total } = (await server.operator('GET', at)).backfill;
print(
  `backfill: ${(total / took).toFixed(0)} pull requests a second (${total} in ${took.toFixed(1)} s); ` +
    `goal ${goals.pullRequests}: ${verdict(total / took >= goals.pullRequests)} (${load()})`,
);

agent.destroy();
await server.stop();
await gitea.stop();
await database.close();
await postgres.stop();
await rm(folder, { recursive: true, force: true });
