import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Argument, Command } from 'commander';
import { openDatabase } from '../src/db/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import { endOnSignals } from '../src/stop-signals.ts';
import { benchBatch } from './learnings/batch.ts';
import { type StartApp, startApp } from './learnings/bench-app.ts';
import { benchExport } from './learnings/export.ts';
import { startPgvector } from './learnings/pgvector.ts';
import { benchSearches } from './learnings/searches.ts';

const parts = ['batch', 'search', 'large-search', 'export'] as const;
const command = new Command('npm run bench:learnings --')
  .description(
    'Measures Learnings on a database of its own: a batch of 100 and one long text with the built-in model, searches among 10,000 and 100,000, and the export of 100,000 in bounded memory.',
  )
  .addArgument(new Argument('[parts...]', 'what to measure; everything if not given').choices(parts))
  .option(
    '--pgvector <url>',
    'also search, in turns, with pgvector and tsvector in this database: any PostgreSQL where CREATE EXTENSION vector works, best of the same version as ours. Uses a schema postil_bench, which is dropped.',
  )
  .parse();
const [chosen] = command.processedArgs as [(typeof parts)[number][]];
const { pgvector } = command.opts<{ pgvector?: string }>();
const isChosen = (part: (typeof parts)[number]) => chosen.length === 0 || chosen.includes(part);

endOnSignals();
const undo: (() => Promise<unknown>)[] = [];
try {
  const directory = await mkdtemp(path.join(tmpdir(), 'postil-bench-'));
  undo.push(() => rm(directory, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ directory, durable: true });
  undo.push(() => postgres.stop());
  const database = openDatabase(postgres.target);
  undo.push(() => database.close());
  await migrate(database);
  const peer = pgvector === undefined ? undefined : await startPgvector(pgvector);
  if (peer !== undefined) undo.push(() => peer.stop());
  const { sql } = database;
  const start: StartApp = (embedder) => startApp(database, postgres.target, embedder);
  if (isChosen('batch')) await benchBatch(start);
  if (isChosen('search'))
    await benchSearches(start, sql, { repository: 'search', count: 10_000, goal: '≤ 15 ms' }, peer);
  if (isChosen('large-search'))
    await benchSearches(start, sql, { repository: 'large', count: 100_000, goal: 'ahead of pgvector' }, peer);
  if (isChosen('export')) await benchExport(start, sql);
} finally {
  for (const step of undo.toReversed()) await step();
}
