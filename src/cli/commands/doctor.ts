import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { openDatabase } from '../../db/database.ts';
import { findRunningPostgres } from '../../db/embedded-postgres.ts';
import { schemaVersion } from '../../db/migrate.ts';
import { newestVersion, readMigrations } from '../../db/migrations.ts';
import { readSettings, type Settings } from '../../settings.ts';
import { CommandError } from '../command-error.ts';
import { connectOperator } from '../operator-client.ts';
import { print } from '../output.ts';

interface Check {
  readonly name: string;
  /** Gives what is so, or throws with what is wrong and what to do. */
  run(settings: Settings): Promise<string>;
}

const leastNodeMajor = 24;
const leastFreeBytes = 1024 ** 3;
const mostClockSkewMs = 5_000;

async function withDatabase<T>(
  settings: Settings,
  work: (database: ReturnType<typeof openDatabase>) => Promise<T>,
): Promise<T> {
  const running =
    settings.databaseUrl === undefined
      ? await findRunningPostgres(path.resolve(settings.dataDirectory))
      : undefined;
  const target =
    running?.target ?? (settings.databaseUrl === undefined ? undefined : { url: settings.databaseUrl });
  if (target === undefined) throw new Error('the embedded database is not running: start the server');
  const database = openDatabase(target, { maxConnections: 2, applicationName: 'postil doctor' });
  try {
    return await work(database);
  } finally {
    await database.close();
    running?.release();
  }
}

const checks: Check[] = [
  {
    name: 'Node.js',
    async run() {
      const major = Number(process.versions.node.split('.')[0]);
      if (major < leastNodeMajor)
        throw new Error(`version ${process.versions.node} is too old: ${leastNodeMajor} or newer is needed`);
      return process.versions.node;
    },
  },
  {
    name: 'Data folder',
    async run({ dataDirectory }) {
      const folder = path.resolve(dataDirectory);
      const { bavail, bsize } = await statfs(folder).catch(() => {
        throw new Error(`${folder} does not exist yet: start the server once`);
      });
      const freeBytes = bavail * bsize;
      const free = `${(freeBytes / 1024 ** 3).toFixed(1)} GiB free`;
      if (freeBytes < leastFreeBytes) throw new Error(`only ${free} in ${folder}`);
      return `${folder}, ${free}`;
    },
  },
  {
    name: 'Database',
    run: (settings) =>
      withDatabase(settings, async ({ sql }) => {
        const [row] = await sql<
          { version: string; now: Date }[]
        >`SELECT current_setting('server_version') AS version, clock_timestamp() AS now`;
        const skewMs = Math.abs(row!.now.getTime() - Date.now());
        if (skewMs > mostClockSkewMs)
          throw new Error(`its clock differs by ${Math.round(skewMs / 1000)} s: synchronise the clocks`);
        return `PostgreSQL ${row!.version}, ${settings.databaseUrl === undefined ? 'embedded' : 'from DATABASE_URL'}`;
      }),
  },
  {
    name: 'Schema',
    run: (settings) =>
      withDatabase(settings, async ({ sql }) => {
        const [version, newest] = [await schemaVersion(sql), newestVersion(await readMigrations())];
        if (version !== newest)
          throw new Error(`version ${version}, but this program wants ${newest}: restart the server`);
        return `version ${version}`;
      }),
  },
  {
    name: 'Server',
    async run(settings) {
      const client = await connectOperator(settings);
      await client.send({ method: 'GET', path: '/ready' });
      return `ready at ${client.url}`;
    },
  },
  {
    name: 'Operator token',
    async run(settings) {
      const client = await connectOperator(settings);
      await client.send({ method: 'GET', path: '/operator/v1/keys?limit=1' });
      return 'accepted';
    },
  },
];

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check the installation and say what is wrong with it')
    .action(async () => {
      const settings = readSettings();
      let failures = 0;
      for (const { name, run } of checks) {
        const result = await run(settings).then(
          (text) => `ok    ${name}: ${text}`,
          (error: Error) => {
            failures += 1;
            return `FAIL  ${name}: ${error.message}`;
          },
        );
        print(result);
      }
      if (failures > 0) throw new CommandError(`${failures} of ${checks.length} checks failed`);
    });
}
