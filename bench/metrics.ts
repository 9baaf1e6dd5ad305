import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { printNote, startProgress } from '../src/cli/output.ts';
import { openDatabase } from '../src/db/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import type { OrganizationId } from '../src/lib/ids.ts';
import { endOnSignals } from '../src/stop-signals.ts';
import {
  fillOrganizations,
  largeOrganization,
  organizationIdOf,
  organizationsWithoutPeers,
  platformDocument,
  sharesOf,
  smallOrganization,
} from './metrics/data-set.ts';
import { measureCopy, measureIngest, measureSingleEvents } from './metrics/ingest.ts';
import { callers, getOnce, inTurns, medianMs, throughput, warmUp } from './metrics/load.ts';
import { readOptions } from './metrics/options.ts';
import { readYear, sumWritten } from './metrics/overview.ts';
import { findPgbench, measureStatement } from './metrics/page-statement.ts';
import { layOutPlainly } from './metrics/plain-way.ts';
import { type Result, report, writeResults } from './metrics/report.ts';
import { startProcess, startServer } from './metrics/server-process.ts';
import { measureStart } from './metrics/start.ts';
import { indexPlainWeeks, measurePlainWeeks, measureWeeks } from './metrics/weeks.ts';
import { installPeers, peerPages } from './peers/install.ts';

const { sizes, seconds, turns, warmUpPages, starts, flags, writes } = readOptions();
const ingestTurns = 3;
const window = { start: '2024-02-03', end: '2026-05-17' };
const query = `start_date=${window.start}&end_date=${window.end}`;

const directory = await mkdtemp(path.join(tmpdir(), 'postil-bench-'));
const undo: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
const results: Result[] = [];
const add = (what: string, goal: string, measured: string, against: string, isReached: boolean) => {
  results.push({ what, goal, measured, against, isReached });
  printNote(`${what}: ${measured} (${against})`);
};

endOnSignals();
try {
  const start = await measureStart(path.join(directory, 'start'), starts);
  add(
    `server ready, embedded, warm (median of ${starts}) / first start; memory`,
    '≤ 1.2 s / ≤ 4 s; < 250 MB',
    `${start.warm.toFixed(2)} s / ${start.first.toFixed(2)} s; ${start.megabytes.toFixed(0)} MB`,
    '–',
    start.warm <= 1.2 && start.first <= 4 && start.megabytes < 250,
  );

  const postgres = await startEmbeddedPostgres({ directory: path.join(directory, 'data') });
  undo.push(() => postgres.stop());
  const { target } = postgres;
  const databaseUrl = `postgres://${target.user}@${encodeURIComponent(target.socketDirectory)}:${target.port}/${target.database}`;
  const database = openDatabase(target, { maxConnections: 8, timeouts: { statementMs: 0 } });
  undo.push(() => database.close());
  const { sql } = database;
  const environment = {
    DATABASE_URL: databaseUrl,
    POSTIL_METRICS_PER_MINUTE: '999999',
    POSTIL_DATA_DIR: path.join(directory, 'server'),
  };
  const server = await startServer(environment);
  undo.push(() => server.stop());

  await server.operator('PUT', '/platform', platformDocument());
  const keyOf = async (org_id: string) => {
    const request = { kind: 'organization', name: org_id, provider: 'github', org_id, owner: '1' };
    return (await server.operator('POST', '/keys', request)).value;
  };
  const keys = { small: await keyOf(smallOrganization), large: await keyOf(largeOrganization) };
  const workspaceKey = (
    await server.operator('POST', '/keys', {
      kind: 'workspace',
      name: 'bench',
      workspace: 'bench',
      owner: 'admin@bench.test',
      expires_at: new Date(Date.now() + 86_400_000 * 2).toISOString(),
    })
  ).value;

  printNote('Sending events');
  const ingest = await inTurns(
    {
      events: () => measureIngest(server.url, sizes.events),
      copied: () => measureCopy(database, Math.min(sizes.events, 50_000)),
      indexed: () => measureCopy(database, Math.min(sizes.events, 50_000), { withIndexes: true }),
    },
    ingestTurns,
  );
  const ofCopy = ingest.ratio('events', 'copied');
  const afterIngest = await server.residentMegabytes();
  add(
    `ingest of pull-request events, NDJSON over HTTP; memory after it`,
    '≥ 35 % of COPY; ≤ 300 MB',
    `${ingest.medians.events.toFixed(0)}/s; ${afterIngest.toFixed(0)} MB`,
    `COPY of the same rows without indexes ${ingest.medians.copied.toFixed(0)}/s: ${(ofCopy * 100).toFixed(0)} %; with their indexes ${ingest.medians.indexed.toFixed(0)}/s: ${(ingest.ratio('events', 'indexed') * 100).toFixed(0)} %`,
    ofCopy >= 0.35 && afterIngest <= 300,
  );
  await sql`CHECKPOINT`; // otherwise the pages changed by the copies would be written meanwhile
  const singlePerSecond = await measureSingleEvents(server.url, sizes.events, 50);
  add(
    'one event per request, 50 at once',
    '≥ 1,500/s',
    `${singlePerSecond.toFixed(0)}/s`,
    '–',
    singlePerSecond >= 1500,
  );

  const progress = startProgress('Writing pull requests');
  await fillOrganizations(sql, sharesOf(sizes), (written, total) => progress.update(written, total));
  progress.end();
  printNote('Vacuuming');
  await sql`VACUUM ANALYZE review_metrics`;
  await sql`CHECKPOINT`;

  const page = (key: string, cursor = '') =>
    getOnce(`${server.url}/v1/metrics/review-comments?${query}${cursor}`, key);
  const { bytes } = await page(keys.small);
  const smallId = await organizationIdOf(sql, smallOrganization);
  printNote('Laying the data out plainly');
  await layOutPlainly(sql, await organizationsWithoutPeers(sql));

  const peers = await installPeers();
  const peer = peers && (await startProcess(peers.server, environment));
  if (peers !== undefined) undo.push(() => peers.remove());
  if (peer !== undefined) undo.push(() => peer.stop());
  const pagesPerSecond = (url: string) => async () => (await throughput(url, keys.small, seconds)).perSecond;
  const pageUrl = `${server.url}/v1/metrics/review-comments?${query}`;
  printNote('Warming up');
  await warmUp(pageUrl, keys.small, warmUpPages);
  const tool = findPgbench() === undefined ? 'postgres.js, raw rows (no pgbench here)' : 'pgbench';
  const pages = await inTurns(
    {
      alone: async () =>
        1000 / (await measureStatement(database, target, smallId, window, seconds, directory)),
      one: () => medianMs(seconds, () => page(keys.small)),
      whole: pagesPerSecond(pageUrl),
    },
    turns,
  );
  const { alone, one, whole } = pages.medians;
  const ofStatement = pages.ratio('whole', 'alone');
  const megabytes = (perSecond: number) => `${((perSecond * bytes) / 1e6).toFixed(0)} MB/s`;
  add(
    `page of 1000 entries (${(bytes / 1e6).toFixed(2)} MB), whole stack, ${callers} callers`,
    '≥ 90 % of pgbench with the same SQL on one connection',
    `${megabytes(whole)} (one caller alone: ${one.toFixed(1)} ms)`,
    `${tool} ${megabytes(alone)} (${(1000 / alone).toFixed(1)} ms): ${(ofStatement * 100).toFixed(0)} %`,
    ofStatement >= 0.9,
  );
  for (const { name, path: peerPath, goal } of peerPages) {
    if (peer === undefined) break;
    const peerUrl = `${peer.url}${peerPath}?${query}`;
    await warmUp(peerUrl, keys.small, warmUpPages);
    const compared = await inTurns({ own: pagesPerSecond(pageUrl), peer: pagesPerSecond(peerUrl) }, turns);
    const ratio = compared.ratio('own', 'peer');
    add(
      `the same page against ${name}, ${callers} callers each`,
      `≥ ${goal} ×`,
      `${compared.medians.own.toFixed(0)} pages/s`,
      `${compared.medians.peer.toFixed(1)} pages/s: ${ratio.toFixed(1)} ×`,
      ratio >= goal,
    );
  }

  /** The cursor of the last page. */
  const deepCursor = async (key: string) => {
    for (let cursor = ''; ; ) {
      const { next_cursor } = JSON.parse((await page(key, cursor)).body()) as { next_cursor: string | null };
      if (next_cursor === null) return cursor;
      cursor = `&cursor=${next_cursor}`;
    }
  };
  const [smallDeep, largeDeep] = [await deepCursor(keys.small), await deepCursor(keys.large)];
  const growth = async (name: string, smallCursor: string, largeCursor: string) => {
    const times = await inTurns(
      {
        before: () => medianMs(seconds, () => page(keys.small, smallCursor)),
        after: () => medianMs(seconds, () => page(keys.large, largeCursor)),
      },
      turns,
    );
    const { before, after } = times.medians;
    const grown = times.ratio('after', 'before');
    add(
      `${name} page, organization of ${sizes.small.toLocaleString('en-US')} → ${sizes.large.toLocaleString('en-US')}`,
      'grows < 1.5 ×',
      `${before.toFixed(1)} → ${after.toFixed(1)} ms`,
      `${grown.toFixed(2)} ×`,
      grown < 1.5,
    );
  };
  await growth('first', '', '');
  await growth('deep', smallDeep, largeDeep);
  for (const [name, days, goal] of [
    ['wide', query, 2],
    ['narrow', 'start_date=2025-03-03&end_date=2025-03-09', 4],
  ] as const) {
    const pageOf = (key: string) => getOnce(`${server.url}/v1/metrics/review-comments?${days}`, key);
    const times = await inTurns(
      {
        one: () => medianMs(seconds, () => pageOf(keys.large)),
        all: () => medianMs(seconds, () => pageOf(workspaceKey)),
      },
      turns,
    );
    const ratio = times.ratio('all', 'one');
    add(
      `page of 1000 entries over 251 organizations, ${name} window`,
      `≤ ${goal} × the page of one`,
      `${times.medians.all.toFixed(1)} ms`,
      `one organization ${times.medians.one.toFixed(1)} ms: ${ratio.toFixed(1)} ×`,
      ratio <= goal,
    );
  }

  const summingSeconds = await sumWritten(database);
  const overviewOf = async (name: string, organizationIds: readonly OrganizationId[]) => {
    const fromSums = await readYear(database, organizationIds, 'sums');
    const begin = performance.now();
    const counted = await readYear(database, organizationIds, 'entries');
    const countedMs = performance.now() - begin;
    if (fromSums.all.posted !== counted.all.posted)
      throw new Error('the sums differ from a count of the entries');
    const sumsMs = await medianMs(seconds, () => readYear(database, organizationIds, 'sums'));
    add(
      `overview of a year, ${name}`,
      '< 50 ms',
      `${sumsMs.toFixed(1)} ms (${counted.all.posted!.toLocaleString('en-US')} comments)`,
      `counted out of the entries ${(countedMs / 1000).toFixed(1)} s: ${(countedMs / sumsMs).toFixed(0)} ×; all sums made in ${summingSeconds.toFixed(0)} s`,
      sumsMs < 50,
    );
  };
  await overviewOf(`organization of ${sizes.large.toLocaleString('en-US')}`, [
    await organizationIdOf(sql, largeOrganization),
  ]);
  const everyone = await sql<{ id: OrganizationId }[]>`SELECT id FROM organizations`;
  await overviewOf(
    `${everyone.length} organizations`,
    everyone.map(({ id }) => id),
  );

  await indexPlainWeeks(sql);
  const weeks = { ours: await measureWeeks(database, smallId), plain: await measurePlainWeeks(sql, smallId) };
  if (!isDeepStrictEqual(weeks.ours, weeks.plain))
    throw new Error('the weeks differ from those of plain tables');
  const weekTimes = await inTurns(
    {
      ours: () => medianMs(seconds, () => measureWeeks(database, smallId)),
      plain: () => medianMs(seconds, () => measurePlainWeeks(sql, smallId)),
    },
    turns,
  );
  const ofPlainWeeks = weekTimes.ratio('plain', 'ours');
  add(
    `times and outcomes of a year by week, ${weeks.ours.pullRequests.toLocaleString('en-US')} pull requests`,
    'ahead of plain tables',
    `${weekTimes.medians.ours.toFixed(0)} ms`,
    `a table of pull requests and one of comments ${weekTimes.medians.plain.toFixed(0)} ms: ${ofPlainWeeks.toFixed(1)} ×`,
    ofPlainWeeks >= 1,
  );

  const [version] = await sql<{ server_version: string }[]>`SHOW server_version`;
  const text = report(results, sizes, version!.server_version);
  process.stdout.write(`\n${text}\n`);
  if (writes) await writeResults(`# Results of the last run of \`npm run bench${flags}\`\n\n${text}\n\n`);
} finally {
  for (const step of undo.toReversed()) await step();
}
