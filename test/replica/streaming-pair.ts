import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { type Cluster, type Program, prepareCluster, spawnOn } from '../../src/db/embedded/cluster-folder.ts';
import { SOCKET_PORT, settingsArguments } from '../../src/db/embedded/postgres-settings.ts';
import { readPrimaryPosition, replicaServer } from '../../src/db/replicas/replica-server.ts';
import { patience } from '../patience.ts';
import { removeFolder } from '../remove-folder.ts';

/** A PostgreSQL server of the test; its `database` remains valid after a restart. */
export interface StreamingServer {
  readonly database: Database;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A primary and its replica, with PostgreSQL's own streaming replication. */
export interface StreamingPair {
  readonly primary: StreamingServer;
  readonly replica: StreamingServer;
  /** Makes the replica receive changes without applying them. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Waits until the replica has applied everything that the primary has written so far. */
  catchUp(): Promise<void>;
  /** Makes the replica cancel reads that conflict with changes to apply. */
  cancelConflictingReads(): Promise<void>;
  promote(): Promise<void>;
  close(): Promise<void>;
}

// These override earlier arguments with the same setting.
const replication = ['-c', 'wal_level=replica', '-c', 'max_wal_senders=4'];

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

function serverOn(cluster: Cluster, isReplica: boolean): StreamingServer {
  const target = {
    socketDirectory: cluster.folder,
    port: SOCKET_PORT,
    user: 'postil',
    database: 'postgres',
  };
  const database = openDatabase(target, { maxConnections: 8, isReplica, ...patience });
  let program: Program | undefined;
  return {
    database,
    async start() {
      const options = [...settingsArguments(false), ...replication];
      program = await spawnOn(cluster, cluster.binaries.postgres, options, 'SIGINT');
      await until(() =>
        database.ping().then(
          () => true,
          () => false, // not yet
        ),
      );
    },
    async stop() {
      program?.child.kill('SIGINT');
      await program?.ended;
    },
  };
}

/** Starts both; the replica starts as a copy of the primary's files, made while the primary was stopped. */
export async function startStreamingPair(
  prepare: (primary: Database) => Promise<void>,
): Promise<StreamingPair> {
  const home = await mkdtemp(path.join(tmpdir(), 'postil-replica-'));
  await chmod(home, 0o711); // the account that PostgreSQL runs as must get to the socket of the primary
  const folder = async (name: string) => {
    await mkdir(path.join(home, name), { mode: 0o711 });
    return path.join(home, name);
  };
  const primaryCluster = await prepareCluster(await folder('primary'), false);
  const primary = serverOn(primaryCluster, false);
  await primary.start();
  await prepare(primary.database);
  await primary.stop();
  const copy = await folder('replica');
  await promisify(execFile)('cp', ['-a', primaryCluster.folder, path.join(copy, 'postgres')]);
  const replicaCluster = await prepareCluster(copy, false);
  const source = `host=${primaryCluster.folder} port=${SOCKET_PORT} user=postil`;
  await writeFile(path.join(replicaCluster.folder, 'standby.signal'), '');
  await writeFile(
    path.join(replicaCluster.folder, 'postgresql.auto.conf'),
    `primary_conninfo = '${source}'\nmax_standby_streaming_delay = -1\n`,
  );
  const replica = serverOn(replicaCluster, true);
  await primary.start();
  await replica.start();
  const { inspect } = replicaServer(replica.database);
  return {
    primary,
    replica,
    async pause() {
      await replica.database.sql`select pg_wal_replay_pause()`;
      await until(async () => {
        const [row] = await replica.database.sql`select pg_get_wal_replay_pause_state() = 'paused' as paused`;
        return row?.paused;
      });
    },
    async resume() {
      await replica.database.sql`select pg_wal_replay_resume()`;
    },
    async catchUp() {
      // Writes something to replay, so that the end of the log is not at a page boundary.
      await primary.database.sql`select pg_logical_emit_message(true, 'test', 'caught up')`;
      const position = await readPrimaryPosition(primary.database.sql);
      await until(async () => (await inspect()).replayed >= position);
    },
    async cancelConflictingReads() {
      await replica.database.sql`alter system set max_standby_streaming_delay = 0`;
      await replica.database.sql`select pg_reload_conf()`;
    },
    async promote() {
      await replica.database.sql`select pg_promote()`;
    },
    async close() {
      await Promise.all([primary, replica].map(({ database }) => database.close()));
      await replica.stop();
      await primary.stop();
      await removeFolder(home);
    },
  };
}
