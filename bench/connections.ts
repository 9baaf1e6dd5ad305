import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../src/app.ts';
import { createDeterministicEmbedder } from '../src/capabilities/learnings/embedding/deterministic-embedder.ts';
import { createLog } from '../src/lib/log.ts';
import { GiteaDouble } from '../test/hosts/gitea-double.ts';
import { fillForge, hostToken } from '../test/hosts/sample-forge.ts';
import { livingDeps } from '../test/living-deps.ts';
import { createTestDatabase } from '../test/postgres.ts';
import { startTestPostgres, TEST_DATABASE_VARIABLE } from '../test/template-database.ts';

/** Measures connections against a double of Gitea without limits, over real HTTP: deliveries, delay and backfill. */
const postgres = await startTestPostgres();
process.env[TEST_DATABASE_VARIABLE] = JSON.stringify(postgres.target);
const { database, target, drop } = await createTestDatabase();
const operatorToken = 'operator-token-of-the-bench';
const gitea = await new GiteaDouble().start();
const forge = fillForge(gitea);
const living = livingDeps(target, () => app.units);
const app = await createApp({
  database,
  clock: () => new Date(),
  log: createLog('error', { write: (line) => void process.stderr.write(line) }),
  embedder: createDeterministicEmbedder(),
  operatorToken,
  ...living,
  settings: { metricsPerMinute: 60, apiKeyHeaderAliases: [] },
});
const base = await app.server.listen({ host: '127.0.0.1', port: 0 });
await living.queue.startWorkers();

// biome-ignore lint/suspicious/noExplicitAny: the figures are read out of what the server answers
async function operator(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await fetch(`${base}/operator/v1/connections${path}`, {
    method,
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return answer.json();
}

const { id, webhook } = await operator('POST', '', {
  provider: 'gitea',
  url: gitea.url,
  credentials: { token: hostToken },
  organizations: ['acme'],
});
while ((await operator('GET', `/${id}`)).organizations.length === 0) await sleep(50);
await sleep(1000);

const print = (line: string) => void process.stdout.write(`${line}\n`);

async function deliver(number: number): Promise<void> {
  const body = JSON.stringify({ number, pull_request: { number }, repository: { id: forge.app.id } });
  const answer = await fetch(`${base}/hooks/${id}`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-gitea-event': 'pull_request',
      'x-gitea-delivery': randomUUID(),
      'x-gitea-signature': createHmac('sha256', webhook.secret).update(body).digest('hex'),
    },
  });
  if (answer.status !== 202) throw new Error(`a delivery was answered ${answer.status}`);
}

async function mergedToMetrics(): Promise<number> {
  const pull = gitea.state.open(forge.app, forge.ada);
  gitea.state.end(pull, 'merged');
  const start = performance.now();
  await deliver(pull.number);
  for (;;) {
    const rows = await database.sql`
      SELECT 1 FROM review_metrics WHERE number = ${pull.number} AND merged_at IS NOT NULL`;
    if (rows.length > 0) return performance.now() - start;
    await sleep(10);
  }
}

const delays: number[] = [];
for (let index = 0; index < 10; index += 1) delays.push(await mergedToMetrics());
delays.sort((a, b) => a - b);
print(
  `delivery to metrics: ${delays[5]!.toFixed(0)} ms (median of 10), ${delays[9]!.toFixed(0)} ms (slowest)`,
);

const count = Number(process.argv[2] ?? 5000);
const started = performance.now();
let sent = 0;
async function send(): Promise<void> {
  while (sent < count) {
    sent += 1;
    await deliver((sent % 50) + 1);
  }
}
await Promise.all(Array.from({ length: 32 }, send));
const seconds = (performance.now() - started) / 1000;
print(
  `deliveries received durably: ${(count / seconds).toFixed(0)} a second (${count} in ${seconds.toFixed(1)} s)`,
);
while ((await operator('GET', `/${id}`)).health.waiting > 0) await sleep(100);

gitea.state.now = new Date('2026-02-01T00:00:00Z');
const pulls = 1000;
for (let index = 0; index < pulls; index += 1)
  gitea.state.end(gitea.state.open(forge.app, forge.ada), 'merged');
const began = performance.now();
await operator('POST', `/${id}/backfill`, { since: '2026-01-01' });
while ((await operator('GET', `/${id}`)).backfill.state !== 'done') await sleep(50);
const took = (performance.now() - began) / 1000;
const { total } = (await operator('GET', `/${id}`)).backfill;
print(`backfill: ${(total / took).toFixed(0)} pull requests a second (${total} in ${took.toFixed(1)} s)`);

await living.queue.stop();
await app.close();
await living.outbound.close();
await gitea.stop();
await drop();
await postgres.stop();
