import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import type { CallerContext } from '../src/access/caller-context.ts';
import { createApp } from '../src/app.ts';
import { createDeterministicEmbedder } from '../src/capabilities/learnings/embedding/deterministic-embedder.ts';
import { reviewCommentList } from '../src/capabilities/review-metrics/lists/list-definitions.ts';
import { createMetricsDeps, readMetrics } from '../src/capabilities/review-metrics/lists/read-metrics.ts';
import { printNote } from '../src/cli/output.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { openClient } from '../src/db/driver/open-client.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import type { OrganizationId } from '../src/lib/ids.ts';
import { createLog } from '../src/lib/log.ts';
import { endOnSignals } from '../src/stop-signals.ts';
import { createTestDeps } from '../test/test-deps.ts';
import { cpuTimer } from './driver/cpu-time.ts';
import { clientReader, ownReader, type PageReader, pgReader } from './driver/page-readers.ts';
import {
  eventLine,
  fillOrganizations,
  organizationIdOf,
  platformDocument,
  smallOrganization,
} from './metrics/data-set.ts';
import { inTurns, median, medianMs } from './metrics/load.ts';
import { operatorToken } from './metrics/server-process.ts';

const { seconds, events } = new Command('npm run bench:driver --')
  .description(
    'Measures what each part of src/db/driver that relies on the insides of postgres.js brings, in one process and in turns.',
  )
  .option('--seconds <seconds>', 'how long each variant is measured in each turn', Number, 1)
  .option('--events <count>', 'how many events each ingest variant stores in each turn', Number, 2000)
  .parse()
  .opts<{ seconds: number; events: number }>();

/** Reads a page of 1000 entries like the server, but through the given reader. */
function readPage(database: Database, organizationId: OrganizationId, reader: PageReader) {
  const deps = createMetricsDeps({ ...database, readRows: reader.read }, () => false);
  const scope = { organizations: [{ organization: { id: organizationId } }] };
  const question = {
    startDate: '2024-02-03',
    endDate: '2026-05-17',
    repositoryIds: undefined,
    authorIds: undefined,
  };
  return async () => {
    const context = { scope } as unknown as CallerContext;
    const { entries } = await readMetrics(deps, context, reviewCommentList, question, {
      after: undefined,
      limit: 1000,
    });
    const { bytes, release } = entries.finish(null);
    const size = bytes.length;
    release();
    return size;
  };
}

async function startApp(database: Database, target: Parameters<typeof createTestDeps>[0]) {
  return createApp({
    ...createTestDeps(target, () => []),
    database,
    clock: () => new Date(),
    log: createLog('error'),
    embedder: createDeterministicEmbedder(),
    operatorToken,
    settings: { metricsPerMinute: 60, apiKeyHeaderAliases: [] },
  });
}

endOnSignals();
const directory = await mkdtemp(path.join(tmpdir(), 'postil-bench-'));
const postgres = await startEmbeddedPostgres({ directory, durable: true });
const { target } = postgres;
const database = openDatabase(target);
try {
  await migrate(database);
  const app = await startApp(database, target);
  const headers = { authorization: `Bearer ${operatorToken}` };
  await app.server.inject({
    method: 'PUT',
    url: '/operator/v1/platform',
    headers,
    payload: platformDocument(),
  });
  await fillOrganizations(database.sql, [[smallOrganization, 20_000]]);
  await database.sql`VACUUM ANALYZE review_metrics`;
  const organizationId = await organizationIdOf(database.sql, smallOrganization);

  const readers = {
    own: ownReader(target),
    client: clientReader(target),
    pg: await pgReader(target),
  };
  const names = Object.keys(readers) as (keyof typeof readers)[];
  const sizes = new Set<number>();
  for (const name of names) sizes.add(await readPage(database, organizationId, readers[name])());
  if (sizes.size !== 1) throw new Error(`the pages differ: ${[...sizes].join(', ')} bytes`);
  const cpuMs = Object.fromEntries(names.map((name): [string, number[]] => [name, []]));
  const measures: Record<string, () => Promise<number>> = {};
  for (const name of names) {
    const read = readPage(database, organizationId, readers[name]);
    const cpu = await cpuTimer(readers[name].read);
    measures[name] = async () => {
      let pages = 0;
      const before = await cpu();
      const ms = await medianMs(seconds, () => {
        pages += 1;
        return read();
      });
      cpuMs[name]!.push(((await cpu()) - before) / pages);
      return ms;
    };
  }
  const pages = await inTurns(measures);
  printNote(`Page of 1000 entries, ${[...sizes][0]} bytes: time and CPU time (this process and PostgreSQL)`);
  const cpuRatio = (name: string) => median(cpuMs[name]!.map((ms, turn) => ms / cpuMs.own![turn]!));
  for (const name of names)
    printNote(
      `  ${name}: ${pages.medians[name]!.toFixed(2)} ms (${pages.ratio(name, 'own').toFixed(2)} × own), CPU ${median(cpuMs[name]!).toFixed(2)} ms (${cpuRatio(name).toFixed(2)} × own)`,
    );

  await database.sql`
    CREATE TABLE bench_vectors AS
    SELECT decode(repeat('ab', 1536), 'hex') AS vector FROM generate_series(1, 3000)`;
  const vectors = await inTurns({
    base64: () =>
      medianMs(seconds, () =>
        readers.own.read(
          "SELECT encode(vector, 'base64') FROM bench_vectors",
          [],
          (row) => void row.base64(0),
        ),
      ),
    hex: () =>
      medianMs(seconds, () =>
        readers.own.read(
          'SELECT vector FROM bench_vectors',
          [],
          (row) => void Buffer.from(row.text(0)!.slice('\\x'.length), 'hex'),
        ),
      ),
  });
  printNote('3000 vectors of 1536 bytes');
  printNote(
    `  base64: ${vectors.medians.base64.toFixed(1)} ms, PostgreSQL's own text: ${vectors.medians.hex.toFixed(1)} ms (${vectors.ratio('hex', 'base64').toFixed(2)} × base64)`,
  );
  for (const reader of Object.values(readers)) await reader.close();

  const plain = openClient(target, { max: 10, applicationName: 'bench', isExclusive: true });
  const transaction = (work: (tx: never) => Promise<unknown>) => plain.begin(work as never);
  const apps = {
    own: app,
    begin: await startApp({ ...database, transaction: transaction as never }, target),
  };
  let serial = 0;
  const ingest = (name: keyof typeof apps) => async () => {
    const lines = Array.from({ length: events }, () => eventLine(serial++)).join('');
    const begin = performance.now();
    const response = await apps[name].server.inject({
      method: 'POST',
      url: '/operator/v1/events',
      headers: { ...headers, 'content-type': 'application/x-ndjson' },
      payload: lines,
    });
    if (response.json().accepted !== events) throw new Error(response.body);
    return (events / (performance.now() - begin)) * 1000;
  };
  const ingested = await inTurns({ own: ingest('own'), begin: ingest('begin') });
  printNote('ingest, events a second');
  printNote(
    `  own: ${ingested.medians.own.toFixed(0)}, begin: ${ingested.medians.begin.toFixed(0)}, ${ingested.ratio('own', 'begin').toFixed(2)} ×`,
  );
  for (const { server } of Object.values(apps)) await server.close();
  await plain.end();
} finally {
  await database.close();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
