import type { ChildProcess } from 'node:child_process';
import { chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Database, openDatabase } from '../../src/db/database.ts';
import type { Account } from '../../src/db/embedded/postgres-account.ts';
import type { TcpProxy } from '../tcp-proxy.ts';
import type { Programs } from './programs.ts';

/** One machine of the cluster: PostgreSQL under Patroni. */
export interface Member {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  /** The connection between its Patroni and etcd. */
  readonly wayToEtcd: TcpProxy;
  /** The test's own connection, directly to this member. */
  readonly database: Database;
  start(): Promise<void>;
  /** Kills Patroni and all processes of PostgreSQL, like a power failure. */
  kill(): Promise<void>;
  /** Suspends all of these processes: connections stay open without any response. */
  freeze(): Promise<void>;
}

/** Patroni's name for the cluster, and its timing in seconds: a dead primary is noticed within `ttl` seconds. */
const scope = 'postil';
const timing = { ttl: 6, loop_wait: 1, retry_timeout: 2 };
export const databaseUser = 'postil';
export const databasePassword = 'of-the-failover-test';

export type Start = (name: string, program: string, args: readonly string[]) => ChildProcess;

export async function give(target: string, account: Account): Promise<void> {
  if ('uid' in account) await chown(target, account.uid, account.gid);
}

interface MemberParts {
  readonly start: Start;
  readonly folder: string;
  readonly programs: Programs;
  readonly account: Account;
  readonly index: number;
  readonly port: number;
  readonly restPort: number;
  readonly wayToEtcd: TcpProxy;
}

export async function newMember(parts: MemberParts): Promise<Member> {
  const { start, folder, programs, account, index, port, restPort, wayToEtcd } = parts;
  const name = `member${index + 1}`;
  const data = path.join(folder, name);
  const sockets = path.join(folder, `${name}-socket`);
  await mkdir(sockets);
  await give(sockets, account);
  const config = path.join(folder, `${name}.json`);
  await writeFile(config, JSON.stringify(patroniConfig(parts, { name, data, sockets })));
  const url = `postgres://${databaseUser}:${databasePassword}@127.0.0.1:${port}/postgres`;
  // This connection watches standbys as well as the primary.
  const database = openDatabase(
    { url },
    { maxConnections: 4, applicationName: 'watch', isReplica: true, maxSilenceMs: 3_000 },
  );
  let patroni: ChildProcess | undefined;
  const processes = async (): Promise<number[]> => {
    const [postmaster] = (await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split(
      '\n',
    );
    if (!postmaster) return [];
    return [Number(postmaster), ...(await childrenOf(Number(postmaster)))];
  };
  return {
    name,
    port,
    restPort,
    wayToEtcd,
    database,
    async start() {
      patroni = start(name, '/usr/bin/python3', [programs.patroni, config]);
    },
    async kill() {
      const pids = await processes();
      patroni?.kill('SIGKILL');
      for (const pid of pids) signal(pid, 'SIGKILL');
      await rm(path.join(sockets, `.s.PGSQL.${port}.lock`), { force: true });
    },
    async freeze() {
      // Patroni and the postmaster first, since they start new processes, which could be missed.
      const [postmaster] = await processes();
      for (const pid of [patroni!.pid!, postmaster!]) signal(pid, 'SIGSTOP');
      for (const pid of await processes()) signal(pid, 'SIGSTOP');
    },
  };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has already ended.
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      return Number(text.slice(text.lastIndexOf(')')).split(' ')[2]);
    }),
  );
  return pids.filter((_, index) => parents[index] === parent);
}

/** The configuration of Patroni as JSON, which is valid YAML. */
function patroniConfig(
  { programs, port, restPort, wayToEtcd }: MemberParts,
  own: { readonly name: string; readonly data: string; readonly sockets: string },
) {
  const address = (at: number) => `127.0.0.1:${at}`;
  const postgresql = {
    use_pg_rewind: true,
    parameters: {
      max_connections: 150,
      shared_buffers: '32MB',
      wal_log_hints: 'on',
      hot_standby_feedback: 'on',
      max_wal_size: '256MB',
      unix_socket_directories: own.sockets,
      password_encryption: 'scram-sha-256',
    },
    pg_hba: [
      'local all all trust',
      'host replication all 127.0.0.1/32 trust',
      'host all all 127.0.0.1/32 scram-sha-256',
    ],
  };
  const users = {
    superuser: { username: databaseUser, password: databasePassword },
    replication: { username: 'replicator', password: databasePassword },
    rewind: { username: databaseUser, password: databasePassword },
  };
  return {
    scope,
    name: own.name,
    restapi: { listen: address(restPort), connect_address: address(restPort) },
    // As a proxy: otherwise Patroni would learn etcd's real address from it and bypass the TCP proxy of the test.
    etcd3: { hosts: [address(wayToEtcd.port)], use_proxies: true },
    bootstrap: {
      dcs: { ...timing, maximum_lag_on_failover: 1_048_576, synchronous_mode: true, postgresql },
      initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
    },
    postgresql: {
      ...postgresql,
      listen: address(port),
      connect_address: address(port),
      data_dir: own.data,
      bin_dir: programs.postgres,
      authentication: users,
      pgpass: path.join(own.sockets, 'pgpass'),
    },
  };
}
