// Measures the memory and duration of a backup and a restore, and the size of rows: `npm run bench:backup -- 1000000`.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { restore } from '../src/db/backup/restore-backup.ts';
import { backup } from '../src/db/backup/write-backup.ts';
import { type ConnectionTarget, openDatabase, type Sql } from '../src/db/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { backgroundIndexes } from '../src/db/schema/indexes/background-indexes.ts';
import { buildIndexes } from '../src/db/schema/indexes/build-indexes.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import { endOnSignals } from '../src/stop-signals.ts';
import { fillOrganizations, largeOrganization, repositoriesPerOrganization } from './metrics/data-set.ts';

const [first = '1000000', target, file] = process.argv.slice(2);
const script = fileURLToPath(import.meta.url);

/** Runs one of the two commands in a process of its own, to measure its memory separately. */
async function runCommand(command: 'backup' | 'restore'): Promise<void> {
  const database = openDatabase(JSON.parse(target!) as ConnectionTarget, { maxConnections: 2 });
  const startedMs = performance.now();
  const { rows } = await (command === 'backup' ? backup : restore)(database, file!);
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  process.stdout.write(
    `${command}: ${rows} rows in ${seconds} s, at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MB\n`,
  );
  await database.close();
}

async function createOrganization(sql: Sql): Promise<void> {
  await sql`
    INSERT INTO organizations (id, provider, provider_organization_id, name, active, plan, subscription, seats_purchased,
      seat_assignment_mode, metrics, metrics_isolated, approval_delay_days, created_at)
    VALUES (gen_random_uuid(), 'github', ${largeOrganization}, 'large', true, 'enterprise', 'active', 1, 'manual',
      'available', false, 0, now())`;
  await sql`
    INSERT INTO repositories (organization_id, id, provider_repository_id, name, active, private, readers_restricted, created_at)
    SELECT id, gen_random_uuid(), n::text, 'repository-' || n, true, false, false, now()
    FROM organizations, generate_series(0, ${repositoriesPerOrganization - 1}) n`;
}

async function reportSizes(sql: Sql, rows: number): Promise<void> {
  await sql`VACUUM ANALYZE review_metrics_shared, pull_requests`;
  const sizes = await sql<{ name: string; table: number; indexes: number }[]>`
    SELECT relname AS name, pg_table_size(oid) AS table, pg_indexes_size(oid) AS indexes
    FROM pg_class WHERE relname IN ('review_metrics_shared', 'pull_requests') ORDER BY relname`;
  for (const { name, table, indexes } of sizes)
    process.stdout.write(
      `${name}: ${Math.round(table / rows)} bytes a row, and ${Math.round(indexes / rows)} in its indexes\n`,
    );
}

async function withServer(work: (target: ConnectionTarget) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), 'postil-bench-backup-'));
  const postgres = await startEmbeddedPostgres({ directory, durable: false });
  try {
    await work(postgres.target);
  } finally {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

const inOwnProcess = async (command: string, to: ConnectionTarget, archive: string) => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    script,
    command,
    JSON.stringify(to),
    archive,
  ]);
  process.stdout.write(stdout);
};

async function measure(pullRequests: number): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-bench-archive-'));
  const archive = path.join(folder, 'bench.backup');
  try {
    await withServer(async (to) => {
      const database = openDatabase(to, { maxConnections: 4, timeouts: { statementMs: 0 } });
      await migrate(database);
      await buildIndexes(database, backgroundIndexes);
      await createOrganization(database.sql);
      await fillOrganizations(database.sql, [[largeOrganization, pullRequests]]);
      await reportSizes(database.sql, pullRequests);
      await database.close();
      await inOwnProcess('backup', to, archive);
    });
    process.stdout.write(
      `backup file: ${Math.round((await stat(archive)).size / pullRequests)} bytes a pull request\n`,
    );
    // Restore to another server after the first one was removed: both together would need twice the space.
    await withServer((to) => inOwnProcess('restore', to, archive));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

endOnSignals();
if (first === 'backup' || first === 'restore') await runCommand(first);
else await measure(Number(first));
