import path from 'node:path';
import type { Command } from 'commander';
import {
  type DatabaseFacts,
  inspectDatabase,
  inspectDataFolder,
} from '../../../db/schema/inspect-database.ts';
import { readSettings, type Settings } from '../../../settings.ts';
import { CommandError } from '../../command-error.ts';
import { describeEmbeddings } from '../../embedding-health.ts';
import { examples } from '../../examples.ts';
import { withInstallationDatabase } from '../../installation-database.ts';
import { connectOperator } from '../../operator-client.ts';
import { print } from '../../output.ts';

interface Check {
  readonly name: string;
  /** Gives what is so, or throws with what is wrong and what to do. */
  run(settings: Settings): Promise<string>;
}

const leastNodeMajor = 24;
const leastFreeBytes = 1024 ** 3;
const mostClockSkewMs = 5_000;

function gibibytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
}

function describeDatabase(facts: DatabaseFacts): string {
  if (facts.isReadOnly) throw new Error('it takes no changes: is it a standby?');
  if (facts.encoding !== 'UTF8') throw new Error(`its encoding is ${facts.encoding}: UTF8 is needed`);
  if (!facts.isDurable)
    throw new Error('a power cut could lose data: turn fsync, full_page_writes and synchronous_commit on');
  if (Math.abs(facts.clockAheadMs) > mostClockSkewMs) {
    throw new Error(
      `its clock differs by ${Math.round(facts.clockAheadMs / 1000)} s: synchronise the clocks`,
    );
  }
  const { postgresVersion, sizeBytes, connectionsUsed, connectionsMax } = facts;
  return `PostgreSQL ${postgresVersion}, ${gibibytes(sizeBytes)}, ${connectionsUsed} of ${connectionsMax} connections`;
}

function describeSchema({ schemaVersion, newestSchemaVersion }: DatabaseFacts): string {
  if (schemaVersion !== newestSchemaVersion) {
    throw new Error(
      `version ${schemaVersion}, but this program wants ${newestSchemaVersion}: restart the server`,
    );
  }
  return `version ${schemaVersion}`;
}

const inspect = (settings: Settings) =>
  withInstallationDatabase(settings, 'beside', ({ sql }) => inspectDatabase(sql));

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
    async run({ dataDirectory, databaseUrl }) {
      const folder = path.resolve(dataDirectory);
      const { exists, isPrivate, freeBytes } = await inspectDataFolder(folder);
      if (databaseUrl !== undefined) return `${folder} (the database is elsewhere)`;
      if (!exists) throw new Error(`${folder} holds no database yet: start the server once`);
      if (!isPrivate) throw new Error(`other users can look into ${folder}: take their permissions away`);
      if (freeBytes < leastFreeBytes) throw new Error(`only ${gibibytes(freeBytes)} free in ${folder}`);
      return `${folder}, ${gibibytes(freeBytes)} free`;
    },
  },
  { name: 'Database', run: async (settings) => describeDatabase(await inspect(settings)) },
  { name: 'Schema', run: async (settings) => describeSchema(await inspect(settings)) },
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
  {
    name: 'Embeddings',
    run: async (settings) => describeEmbeddings(await connectOperator(settings)),
  },
];

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check the installation and say what is wrong with it')
    .addHelpText('after', examples('postil doctor'))
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
