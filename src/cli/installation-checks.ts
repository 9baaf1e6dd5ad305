import path from 'node:path';
import { readTerminalSettings } from '../command-settings.ts';
import { readOperatorToken, readServerAddress } from '../data-folder.ts';
import { findCopies } from '../db/archive/copies.ts';
import { assertArchiving } from '../db/archive/keep-archive.ts';
import { readDatabaseUrl } from '../db/driver/database-url.ts';
import { askHostsOf } from '../db/driver/open-client.ts';
import { type DatabaseFacts, inspectDatabase, inspectDataFolder } from '../db/schema/inspect-database.ts';
import { explainConnection } from '../explain-failure.ts';
import { readGitVersion } from '../reviewer/repository/run-git.ts';
import type { Settings } from '../settings.ts';
import {
  describeConnectionHealth,
  describeKeyFile,
  describeSealedSecrets,
  describeWork,
} from './health/connection-health.ts';
import { describeDigests } from './health/digest-health.ts';
import { describeEmbeddings } from './health/embedding-health.ts';
import { describePrimary, describeStandbys } from './health/host-health.ts';
import { describePort, knowsServer } from './health/port-health.ts';
import { describeReplicas } from './health/replica-health.ts';
import { withInstallationDatabase } from './installation-database.ts';
import { connectOperator } from './operator-client.ts';

/** Looks for one problem an installation can have. */
export interface Check {
  readonly name: string;
  /** Checks that must pass first; otherwise this one would only report the same cause again. */
  readonly dependsOn: readonly string[];
  /** Returns a description of what it found, or throws an error that says what is wrong and how to fix it. */
  run(): Promise<string>;
}

const minNodeMajor = 24;
const minFreeBytes = 1024 ** 3;
const maxClockSkewMs = 5_000;

function gibibytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
}

function hostOf(url: string): string {
  return new URL(url).host.replace(/^localhost\b/, '127.0.0.1');
}

/** Whether the settings refer to the server of the data folder, rather than to another installation through POSTIL_URL. */
export async function pointsToDataFolder(settings: Settings): Promise<boolean> {
  const { serverUrl, operatorToken, dataDirectory, host } = settings;
  if (serverUrl === undefined) return true;
  const saved = await readOperatorToken(dataDirectory).catch(() => undefined);
  if (saved !== undefined && (operatorToken ?? saved.token) === saved.token) return true;
  const trusted = { host, tokenOwner: saved?.owner };
  const address = await readServerAddress(dataDirectory, trusted).catch(() => undefined);
  return address !== undefined && hostOf(address) === hostOf(serverUrl);
}

const node: Check = {
  name: 'Node.js',
  dependsOn: [],
  async run() {
    const major = Number(process.versions.node.split('.')[0]);
    if (major < minNodeMajor)
      throw new Error(`version ${process.versions.node} is too old: ${minNodeMajor} or newer is needed`);
    return process.versions.node;
  },
};

const minGit = [2, 31] as const;

function git({ searchPath }: { readonly searchPath: string | undefined }): Check {
  return {
    name: 'Git',
    dependsOn: [],
    async run() {
      const said = await readGitVersion({ searchPath }).catch((error: Error) => {
        throw new Error(`reviews need it, and it cannot be run: ${error.message}`);
      });
      const [major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(said)?.slice(1).map(Number) ?? [];
      if (major < minGit[0] || (major === minGit[0] && minor < minGit[1]))
        throw new Error(`${said} is too old: ${minGit.join('.')} or newer is needed`);
      return said;
    },
  };
}

function port(settings: Settings): Check {
  return { name: 'Port', dependsOn: [], run: () => describePort(settings) };
}

function folderChecks({ dataDirectory }: Settings): Check[] {
  const folder = path.resolve(dataDirectory);
  return [
    {
      name: 'Data folder',
      dependsOn: [],
      async run() {
        const { exists } = await inspectDataFolder(folder);
        if (!exists)
          throw new Error(
            `${folder} has no database yet: start the server once, or set POSTIL_DATA_DIR to the folder of your installation`,
          );
        return folder;
      },
    },
    {
      name: 'Permissions',
      dependsOn: ['Data folder'],
      async run() {
        const { isPrivate } = await inspectDataFolder(folder);
        if (!isPrivate) throw new Error(`other users can access ${folder}: remove their permissions`);
        return 'private to its owner';
      },
    },
    {
      name: 'Disk space',
      dependsOn: ['Data folder'],
      async run() {
        const { freeBytes } = await inspectDataFolder(folder);
        if (freeBytes < minFreeBytes) throw new Error(`only ${gibibytes(freeBytes)} free in ${folder}`);
        return `${gibibytes(freeBytes)} free`;
      },
    },
  ];
}

function describeDatabase(facts: DatabaseFacts): string {
  if (facts.isReadOnly) throw new Error('it is read-only: is it a standby?');
  if (facts.encoding !== 'UTF8') throw new Error(`its encoding is ${facts.encoding}: UTF8 is needed`);
  if (!facts.isDurable)
    throw new Error(
      'a power failure could lose data: turn on fsync, full_page_writes and synchronous_commit',
    );
  if (Math.abs(facts.clockAheadMs) > maxClockSkewMs) {
    throw new Error(
      `its clock differs by ${Math.round(facts.clockAheadMs / 1000)} s: synchronize the clocks`,
    );
  }
  const { postgresVersion, sizeBytes, connectionsUsed, connectionsMax } = facts;
  return `PostgreSQL ${postgresVersion}, ${gibibytes(sizeBytes)}, ${connectionsUsed} of ${connectionsMax} connections`;
}

function describeSchema({ schemaVersion, newestSchemaVersion, isSchemaUsable }: DatabaseFacts): string {
  if (!isSchemaUsable) {
    throw new Error(
      `version ${schemaVersion}, but this program needs ${newestSchemaVersion}: restart the server`,
    );
  }
  return `version ${schemaVersion}`;
}

/** Describes whether there is a pooler between this machine and the database, and whether DATABASE_URL declares it. */
function describePooler({ isBehindPooler, missingSettings }: DatabaseFacts, isDeclared: boolean): string {
  if (!isBehindPooler)
    return isDeclared
      ? 'none, although DATABASE_URL has pooling=transaction: without this parameter, statements are prepared only once, which is faster'
      : 'none';
  if (!isDeclared)
    throw new Error(
      'there is one, and DATABASE_URL does not say so: add pooling=transaction to its parameters, or name the database itself',
    );
  if (missingSettings.length > 0)
    throw new Error(
      `it does not pass on settings, so set them for the role: ${missingSettings.map((statement) => `${statement};`).join(' ')}`,
    );
  return 'there is one, and the role has the settings; large indexes are built by nodes that connect directly';
}

/** The checks of roles if there are several hosts; a single host is checked as the database itself. */
function hostChecks(url: string): Check[] {
  if (readDatabaseUrl(url).hosts.length === 1) return [];
  return [
    { name: 'Primary', dependsOn: [], run: async () => describePrimary(await askHostsOf(url)) },
    { name: 'Standbys', dependsOn: ['Primary'], run: async () => describeStandbys(await askHostsOf(url)) },
  ];
}

function databaseChecks(settings: Settings): Check[] {
  const inspect = () =>
    withInstallationDatabase(settings, 'must run', ({ sql }) => inspectDatabase(sql)).catch(
      (error: Error) => {
        const refused = explainConnection(error);
        throw refused === undefined ? error : new Error(refused);
      },
    );
  return [
    ...(settings.databaseUrl === undefined ? [] : hostChecks(settings.databaseUrl)),
    {
      name: 'Database',
      dependsOn: ['Data folder', 'Primary'],
      run: async () => describeDatabase(await inspect()),
    },
    { name: 'Schema', dependsOn: ['Database'], run: async () => describeSchema(await inspect()) },
    ...(settings.databaseUrl === undefined ? [] : [pooler(settings, settings.databaseUrl)]),
  ];
}

function archiveCheck(settings: Settings, { folder }: { readonly folder: string }): Check {
  const archive = { folder, directory: path.resolve(settings.dataDirectory) };
  return {
    name: 'Archive',
    dependsOn: ['Database'],
    async run() {
      await withInstallationDatabase(settings, 'must run', (database) => assertArchiving(database, archive));
      const [oldest] = await findCopies(folder);
      if (oldest === undefined) throw new Error(`there is no copy of the database in ${folder} yet`);
      return `every moment since ${oldest.at.toISOString()} can be restored`;
    },
  };
}

function pooler(settings: Settings, url: string): Check {
  return {
    name: 'Pooler',
    dependsOn: ['Database'],
    run: () =>
      withInstallationDatabase(settings, 'must run', async ({ sql }) =>
        describePooler(await inspectDatabase(sql), readDatabaseUrl(url).isPooled),
      ),
  };
}

function secretKey(settings: Settings): Check {
  return { name: 'Secret key', dependsOn: ['Database'], run: () => describeKeyFile(settings) };
}

function serverChecks(settings: Settings): Check[] {
  return [
    {
      name: 'Server',
      dependsOn: ['Port', 'Database', 'Schema'],
      async run() {
        const client = await connectOperator(settings);
        await client.send({ method: 'GET', path: '/ready' });
        return `ready at ${client.url}`;
      },
    },
    {
      name: 'Operator token',
      dependsOn: ['Server'],
      async run() {
        const client = await connectOperator(settings);
        await client.send({ method: 'GET', path: '/operator/v1/keys?limit=1' });
        return 'accepted';
      },
    },
    {
      name: 'Replicas',
      dependsOn: ['Operator token'],
      run: async () => describeReplicas(await connectOperator(settings)),
    },
    {
      name: 'Embeddings',
      dependsOn: ['Operator token'],
      run: async () => describeEmbeddings(await connectOperator(settings)),
    },
    {
      name: 'Sealed secrets',
      dependsOn: ['Operator token', 'Secret key'],
      run: async () => describeSealedSecrets(await connectOperator(settings)),
    },
    {
      name: 'Connections',
      dependsOn: ['Operator token', 'Sealed secrets'],
      run: async () => describeConnectionHealth(await connectOperator(settings)),
    },
    {
      name: 'Queued work',
      dependsOn: ['Connections'],
      run: async () => describeWork(await connectOperator(settings)),
    },
    {
      name: 'Digests',
      dependsOn: ['Operator token'],
      run: async () => describeDigests(await connectOperator(settings)),
    },
  ];
}

/** The checks for the installation that the settings point to, each after those it depends on. */
export async function checksFor(settings: Settings): Promise<Check[]> {
  const isExternal = settings.databaseUrl !== undefined;
  const isOwn = await pointsToDataFolder(settings);
  return [
    node,
    git(readTerminalSettings()),
    ...((await knowsServer(settings)) ? [] : [port(settings)]),
    ...(isOwn && !isExternal ? folderChecks(settings) : []),
    ...(isOwn || isExternal ? databaseChecks(settings) : []),
    ...(isOwn && settings.archive ? [archiveCheck(settings, settings.archive)] : []),
    ...(isOwn ? [secretKey(settings)] : []),
    ...serverChecks(settings),
  ];
}
