import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseAccount } from '../../src/db/embedded/postgres-account.ts';
import { removeFolder } from '../remove-folder.ts';
import { freePorts, openTcpProxy } from '../tcp-proxy.ts';
import { startHaproxy, startPgbouncer } from './in-between.ts';
import { databasePassword, databaseUser, give, type Member, newMember, type Start } from './member.ts';
import type { Programs } from './programs.ts';

export interface Cluster {
  readonly members: readonly Member[];
  readonly haproxyPort: number;
  readonly replicaPort: number;
  readonly pgbouncerPort: number;
  /** The member that is the primary according to itself and to etcd. */
  leader(): Promise<Member | undefined>;
  /** Waits until there is a primary, and both other members replicate it, one of them synchronously. */
  settle(): Promise<Member>;
  switchOver(from: Member, to: Member): Promise<void>;
  close(): Promise<void>;
}

/** Starts a cluster in a temporary folder: etcd, three PostgreSQL servers under Patroni, HAProxy and PgBouncer. */
export async function startCluster(programs: Programs): Promise<Cluster> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-failover-'));
  const account = await chooseAccount({ uid: process.getuid!(), gid: process.getgid!() }, false);
  await give(folder, account);
  await chmod(folder, 0o755);
  const started: ChildProcess[] = [];
  const start: Start = (name, program, args) => {
    const child = spawn(program, args, { ...account, env: programs.env, stdio: ['ignore', 'pipe', 'pipe'] });
    const log = createWriteStream(path.join(folder, `${name}.log`), { flags: 'a' });
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
    child.on('error', (error) => process.stderr.write(`${name}: ${error.message}\n`));
    started.push(child);
    return child;
  };
  const [etcdPort, peerPort, haproxyPort, replicaPort, pgbouncerPort, ...others] = await freePorts(11);
  await startEtcd(start, folder, programs, etcdPort!, peerPort!);
  const members: Member[] = [];
  for (const index of [0, 1, 2]) {
    const ports = { port: others[index * 2]!, restPort: others[index * 2 + 1]! };
    const wayToEtcd = await openTcpProxy({ port: etcdPort!, host: '127.0.0.1' });
    members.push(await newMember({ start, folder, programs, account, index, ...ports, wayToEtcd }));
  }
  for (const member of members) await member.start();
  await startHaproxy(start, folder, programs, members, {
    haproxyPort: haproxyPort!,
    replicaPort: replicaPort!,
  });
  await startPgbouncer(start, folder, programs, pgbouncerPort!, haproxyPort!);

  const leader = async () => {
    for (const member of members) {
      const state = await stateOf(member);
      if (state?.role === 'master' || state?.role === 'primary') return member;
    }
    return undefined;
  };
  return {
    members,
    haproxyPort: haproxyPort!,
    replicaPort: replicaPort!,
    pgbouncerPort: pgbouncerPort!,
    leader,
    async settle() {
      for (;;) {
        const primary = await leader();
        const states = primary === undefined ? [] : await followersOf(primary);
        if (states.length === 2 && states.includes('sync')) return primary!;
        await sleep(200);
      }
    },
    async switchOver(from, to) {
      const answer = await fetch(`http://127.0.0.1:${from.restPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: from.name, candidate: to.name }),
      });
      if (!answer.ok) throw new Error(`switchover refused: ${answer.status} ${await answer.text()}`);
    },
    async close() {
      for (const member of members) {
        await member.database.close();
        member.wayToEtcd.close();
      }
      for (const member of members) await member.kill();
      for (const child of started) child.kill('SIGKILL');
      await removeFolder(folder);
    },
  };
}

async function followersOf({ database }: Member): Promise<string[]> {
  const rows = await database.sql<
    { sync_state: string }[]
  >`SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'`.catch(() => []);
  return rows.map(({ sync_state }) => sync_state);
}

async function stateOf({ restPort }: Member): Promise<{ role: string; state: string } | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${restPort}/patroni`, {
      signal: AbortSignal.timeout(2_000),
    });
    return (await answer.json()) as { role: string; state: string };
  } catch {
    return undefined;
  }
}

async function startEtcd(start: Start, folder: string, programs: Programs, port: number, peer: number) {
  const [own, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peer}`];
  start('etcd', programs.etcd, [
    ...['--name', 'one', '--data-dir', path.join(folder, 'etcd'), '--logger', 'zap'],
    ...['--listen-client-urls', own, '--advertise-client-urls', own],
    ...[
      '--listen-peer-urls',
      peers,
      '--initial-advertise-peer-urls',
      peers,
      '--initial-cluster',
      `one=${peers}`,
    ],
  ]);
  while (!(await fetch(`${own}/health`).catch(() => undefined))?.ok) await sleep(100);
}

/** The URL of Postil's database on one or several hosts. */
export const withDatabase = (hosts: string, parameters = '') =>
  `postgres://${databaseUser}:${databasePassword}@${hosts}/postil${parameters}`;
