import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import { createApp } from '../src/app.ts';
import { createEmbedder } from '../src/capabilities/learnings/embedding/create-embedder.ts';
import { createDeterministicEmbedder } from '../src/capabilities/learnings/embedding/deterministic-embedder.ts';
import type { Embedder } from '../src/capabilities/learnings/embedding/embedder.ts';
import { encodeVectors } from '../src/capabilities/learnings/embedding/vectors/vector-codec.ts';
import { openDatabase } from '../src/db/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import { createLog } from '../src/lib/log.ts';
import { endOnSignals } from '../src/stop-signals.ts';
import { createTestDeps } from '../test/test-deps.ts';

new Command('npm run bench:learnings --')
  .description(
    'Measures Learnings on a database of its own: a batch of 100 and one long text with the built-in model, searches among 10,000 and 100,000, and the export of 100,000 in bounded memory.',
  )
  .parse();

const operatorToken = 'operator-token-of-the-bench';
const dimensions = 384;
const syllables = [
  'ba',
  'ker',
  'li',
  'mon',
  'ta',
  'ru',
  'ses',
  'vo',
  'ni',
  'del',
  'fa',
  'go',
  'hu',
  'pri',
  'quo',
  'zem',
];
const vocabulary = Array.from({ length: 4000 }, (_, index) =>
  [index >> 8, index >> 4, index].map((number) => syllables[number & 15]).join(''),
);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function sentence(seed: number): string {
  return Array.from({ length: 18 }, (_, index) => vocabulary[(seed * 7919 + index * index * 31) % 4000]).join(
    ' ',
  );
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function summary(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return `p50 ${percentile(sorted, 0.5).toFixed(1)} ms, p99 ${percentile(sorted, 0.99).toFixed(1)} ms`;
}

endOnSignals();
const directory = await mkdtemp(path.join(tmpdir(), 'postil-bench-'));
const postgres = await startEmbeddedPostgres({ directory, durable: true });
const database = openDatabase(postgres.target);
const { sql } = database;

async function startApp(embedder: Embedder) {
  const app = await createApp({
    ...createTestDeps(postgres.target, () => []),
    database,
    clock: () => new Date(),
    log: createLog('error'),
    embedder,
    operatorToken,
    settings: { metricsPerMinute: 60, apiKeyHeaderAliases: [] },
  });
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
  const send = async (method: string, route: string, key: string, body?: unknown) => {
    const response = await fetch(url + route, {
      method,
      headers: {
        'x-service-api-key': key,
        authorization: `Bearer ${operatorToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${text}`);
    return { text, json: text === '' ? undefined : JSON.parse(text) };
  };
  return { app, send };
}

async function makePlatform(send: Awaited<ReturnType<typeof startApp>>['send']): Promise<string> {
  const repositories = ['batch', 'search', 'export', 'large'].map((name, index) => ({
    provider_repository_id: String(index),
    name,
  }));
  const members = [{ user_id: '1', username: 'bench', email: 'bench@acme.test', role: 'cr_admin' }];
  const identity = { provider: 'github', provider_organization_id: '1', name: 'bench' };
  const organization = { ...identity, plan: 'enterprise', subscription: 'active', repositories, members };
  await send('PUT', '/operator/v1/platform', '', { organizations: [organization] });
  const request = { kind: 'organization', name: 'bench', provider: 'github', org_id: '1', owner: '1' };
  return (await send('POST', '/operator/v1/keys', '', request)).json.value;
}

async function fill(repository: string, count: number, embedderId: string | null): Promise<void> {
  const step = 2000;
  for (let start = 0; start < count; start += step) {
    const rows = Array.from({ length: Math.min(step, count - start) }, (_, index) => ({
      id: randomUUID(),
      learning: `${sentence(start + index)} #${repository}-${start + index}`,
      vectors: embedderId === null ? null : encodeVectors([randomVector()]).toString('hex'),
    }));
    await sql`
      WITH given AS (SELECT * FROM jsonb_to_recordset(${sql.json(rows as never)}) AS g (id uuid, learning text, vectors text)),
      stored AS (
        INSERT INTO learnings (organization_id, id, repository_id, learning, content_hash, author_id, origin, visibility,
          pull_requests, approval, redactor_version, created_at, updated_at, usage_count, index_due_at, index_version, embedder_id)
        SELECT r.organization_id, g.id, r.id, g.learning, sha256(g.learning::bytea), '1', 'api', 'shared', '{}', 'approved', 1,
          now(), now(), 0, now() + interval '1 day', 1, ${embedderId}
        FROM given g, repositories r WHERE r.name = ${repository} RETURNING organization_id, id)
      INSERT INTO learning_vectors SELECT s.organization_id, s.id, decode(g.vectors, 'hex')
      FROM stored s JOIN given g USING (id) WHERE g.vectors IS NOT NULL`;
  }
  await sql`
    INSERT INTO learning_index_versions SELECT organization_id, id, 1 FROM repositories WHERE name = ${repository}
    ON CONFLICT DO NOTHING`;
  await sql`ANALYZE learnings`;
}

function randomVector(): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => Math.random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Repeatedly calls a small endpoint that queries the database, until it is stopped. */
async function smallRequests(send: Awaited<ReturnType<typeof startApp>>['send'], until: Promise<unknown>) {
  const times: number[] = [];
  let isDone = false;
  until.then(
    () => {
      isDone = true;
    },
    () => {
      isDone = true;
    },
  );
  while (!isDone) {
    const start = performance.now();
    await send('GET', '/ready', '');
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return times;
}

async function benchBatch(): Promise<void> {
  const model = createEmbedder({});
  let embeddingMs = 0;
  const timed: Embedder = {
    id: model.id,
    dimensions: model.dimensions,
    close: () => model.close(),
    async embed(texts, options) {
      const start = performance.now();
      const embeddings = await model.embed(texts, options);
      embeddingMs += performance.now() - start;
      return embeddings;
    },
  };
  const { app, send } = await startApp(timed);
  const key = await makePlatform(send);
  await model.embed(['warm'], { kind: 'query' });
  const alone = await smallRequests(send, new Promise((resolve) => setTimeout(resolve, 3000)));
  const data = Array.from({ length: 100 }, (_, index) => ({
    repository_id: '0',
    learning: `Rule ${index}: close connections in a finally block and log the reason of the failure once.`,
  }));
  const start = performance.now();
  const batch = send('POST', '/v1/learnings', key, { data });
  const meanwhile = await smallRequests(send, batch);
  const { json } = await batch;
  const seconds = (performance.now() - start) / 1000;
  print(
    `100 short items, built-in model: ${seconds.toFixed(2)} s (goal < 2 s), ${json.created_count} created; ` +
      `without the model's work ${(seconds * 1000 - embeddingMs).toFixed(0)} ms`,
  );
  print(`  small GET alone: ${summary(alone)}; meanwhile: ${summary(meanwhile)} (goal p99 < 2 ×)`);
  const repeat = performance.now();
  await send('POST', '/v1/learnings', key, { data });
  print(`  the same again (100 duplicates): ${(performance.now() - repeat).toFixed(0)} ms`);
  const query = performance.now();
  await send('POST', '/v1/learnings/search', key, { repository_id: '0', query: 'leaking handles on errors' });
  print(`  one search, query embedded by the model: ${(performance.now() - query).toFixed(0)} ms`);
  const long = 'Guidance of many words that goes on and on about one thing and another. '
    .repeat(140)
    .slice(0, 9_900);
  const longStart = performance.now();
  await send('POST', '/v1/learnings', key, { data: [{ repository_id: '0', learning: long }] });
  print(`  one Learning of 9,900 characters: ${((performance.now() - longStart) / 1000).toFixed(2)} s`);
  await app.close();
  await model.close();
}

async function benchSearch(repository: string, id: string, count: number, goal: string): Promise<void> {
  const embedder = createDeterministicEmbedder({ id: 'bench', dimensions });
  let embeddingMs = 0;
  const timed: Embedder = {
    ...embedder,
    async embed(texts, options) {
      const start = performance.now();
      const embeddings = await embedder.embed(texts, options);
      embeddingMs = performance.now() - start;
      return embeddings;
    },
  };
  const { app, send } = await startApp(timed);
  const key = await makePlatform(send);
  await fill(repository, count, 'bench');
  const search = async (seed: number) => {
    const start = performance.now();
    await send('POST', '/v1/learnings/search', key, { repository_id: id, query: sentence(seed), limit: 10 });
    return performance.now() - start - embeddingMs;
  };
  const first = await search(0);
  const times: number[] = [];
  const touched: number[] = [];
  for (let index = 1; index <= 100; index += 1) {
    if (index % 50 === 0) await sql`TRUNCATE rate_limit_windows`;
    times.push(await search(index));
    if (index % 10 !== 0) continue;
    const start = performance.now();
    await sql`
      SELECT count(*) FROM learning_vectors v JOIN repositories r ON r.name = ${repository}
      JOIN learnings l ON l.repository_id = r.id AND l.organization_id = v.organization_id AND l.id = v.learning_id
      WHERE get_byte(v.vectors, 700) = 1`;
    touched.push(performance.now() - start);
  }
  print(
    `search among ${count} Learnings of one repository, after embedding (goal ${goal}): ${summary(times)}; the first, which loads them, ${first.toFixed(0)} ms`,
  );
  // No exact search inside the database can be faster than this.
  print(`  PostgreSQL looking at one byte of each of these vectors: ${summary(touched)}`);
  await app.close();
}

async function benchExport(): Promise<void> {
  const { app, send } = await startApp(createDeterministicEmbedder());
  const key = await makePlatform(send);
  const count = 100_000;
  await fill('export', count, null);
  const before = process.memoryUsage().rss;
  let peak = before;
  let bytes = 0;
  let rows = 0;
  let cursor = '';
  const start = performance.now();
  for (let page = 1; ; page += 1) {
    if (page % 50 === 0) await sql`TRUNCATE rate_limit_windows`;
    const { text, json } = await send('GET', `/v1/learnings?repository_ids=2&limit=1000${cursor}`, key);
    bytes += Buffer.byteLength(text);
    rows += json.data.length;
    peak = Math.max(peak, process.memoryUsage().rss);
    if (json.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(json.next_cursor)}`;
  }
  const seconds = (performance.now() - start) / 1000;
  const speed = `${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s (${(bytes / 1e6 / seconds).toFixed(0)} MB/s)`;
  print(
    `export of ${rows} Learnings: ${speed}, memory grew by at most ${((peak - before) / 1e6).toFixed(0)} MB`,
  );
  await app.close();
}

try {
  await migrate(database);
  await benchBatch();
  await benchSearch('search', '1', 10_000, '≤ 15 ms');
  await benchSearch('large', '3', 100_000, 'ahead of the line below');
  await benchExport();
} finally {
  await database.close();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
