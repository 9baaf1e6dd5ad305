import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/db/database.ts';
import { type Cluster, withDatabase } from './cluster.ts';
import type { Member } from './member.ts';
import type { Node } from './nodes.ts';
import type { Writers } from './writers.ts';

/** Makes a primary fail, and returns a function that repairs it. */
type Fault = (cluster: Cluster, primary: Member) => Promise<() => Promise<void>>;

const killPrimary: Fault = async (_, primary) => {
  await primary.kill();
  return () => primary.start();
};

export const faults: Record<string, Fault> = {
  kill: killPrimary,
  async switchover(cluster, primary) {
    const [row] = await primary.database.sql<{ name: string }[]>`
      SELECT application_name AS name FROM pg_stat_replication WHERE sync_state = 'sync'`;
    await cluster.switchOver(primary, cluster.members.find(({ name }) => name === row!.name)!);
    return async () => {};
  },
  async cut(_, primary) {
    primary.wayToEtcd.cut();
    return async () => primary.wayToEtcd.mend();
  },
  /** A standby that applies changes 30 s late; it may be promoted. */
  async lag(cluster, primary) {
    const late = cluster.members.find((candidate) => candidate !== primary)!;
    await late.database.sql`ALTER SYSTEM SET recovery_min_apply_delay = '30s'`;
    await late.database.sql`SELECT pg_reload_conf()`;
    await sleep(3_000);
    const mend = await killPrimary(cluster, primary);
    return async () => {
      await late.database.sql`ALTER SYSTEM RESET recovery_min_apply_delay`;
      await late.database.sql`SELECT pg_reload_conf()`;
      await mend();
    };
  },
  /** The whole machine of the primary is suspended, until its watchdog resets it. */
  async hang(_, primary) {
    await primary.freeze();
    return async () => {
      // Killed rather than resumed, because Patroni 3.0.2 would take the lock back from the new primary.
      await primary.kill();
      await primary.start();
    };
  },
};

/** Resolves with the new primary as soon as PostgreSQL commits something there. */
async function newPrimary({ members }: Cluster, former: Member): Promise<Member> {
  let isFound = false;
  const serves = async (candidate: Member): Promise<Member> => {
    for (;;) {
      if (isFound) return new Promise(() => {});
      const [row] = await candidate.database.sql<
        { standby: boolean }[]
      >`SELECT pg_is_in_recovery() AS standby`.catch(() => []);
      if (row?.standby === false) {
        await candidate.database.sql`SELECT pg_logical_emit_message(true, 'failover', 'served')`;
        isFound = true;
        return candidate;
      }
      await sleep(50);
    }
  };
  return Promise.race(members.filter((candidate) => candidate !== former).map(serves));
}

/**
 * Polls with new connections on the way that a node takes. The returned function resolves with the time of the first commit after
 * a moment.
 */
function openedAt(cluster: Cluster, { name }: Node): (moment: number) => Promise<number> {
  const port = { haproxy: cluster.haproxyPort, pgbouncer: cluster.pgbouncerPort }[name];
  return async (moment) => {
    if (port === undefined) return moment;
    const url = withDatabase(`127.0.0.1:${port}`, '?pooling=transaction');
    for (;;) {
      const database = openDatabase({ url }, { maxConnections: 2, applicationName: 'watch' });
      const commit = database.sql`SELECT pg_logical_emit_message(true, 'failover', 'passed')`;
      const isThrough = await commit.then(
        () => true,
        () => false,
      );
      await database.close();
      if (isThrough) return performance.now();
      await sleep(50);
    }
  };
}

/**
 * The sessions of nodes on servers that are not the primary, except for connections that only probe or read replicas on purpose.
 */
async function sessionsOn({ members }: Cluster, primary: Member): Promise<Set<string>> {
  const found = await Promise.all(
    members.map(async (one) => {
      if (one === primary) return [];
      const rows = await one.database.sql<{ pid: number; name: string }[]>`
          SELECT pid, application_name AS name FROM pg_stat_activity WHERE application_name IN ('postil', 'postil work')`.catch(
        () => [],
      );
      return rows.map(({ pid, name }) => `${name} ${pid} on ${one.name}`);
    }),
  );
  return new Set(found.flat());
}

/** The sessions that are there at two moments: the connection of a node that only looks for the primary is closed by then. */
async function stayingSessions(cluster: Cluster, primary: Member): Promise<string[]> {
  const before = await sessionsOn(cluster, primary);
  await sleep(1_500);
  const after = await sessionsOn(cluster, primary);
  return [...before].filter((session) => after.has(session));
}

export async function playRound(cluster: Cluster, name: string, nodes: readonly Node[], writers: Writers) {
  const former = await cluster.settle();
  writers.newRound();
  await sleep(1_500);
  const failedAt = performance.now();
  const mending = faults[name]!(cluster, former);
  const opened = nodes.map((node) => openedAt(cluster, node));
  const primary = await newPrimary(cluster, former);
  const servedAt = performance.now();
  const wayMs: number[] = [];
  const recoveryMs: number[] = [];
  for (const [index, node] of nodes.entries()) {
    // A node can reach the primary only once its proxy has noticed the change.
    const reachableAt = Math.max(servedAt, await opened[index]!(servedAt));
    wayMs.push(reachableAt - servedAt);
    let success = writers.firstSuccessAfter(node, servedAt);
    while (success === undefined) {
      await sleep(20);
      success = writers.firstSuccessAfter(node, servedAt);
    }
    recoveryMs.push(Math.max(0, success - reachableAt));
  }
  await (await mending)();
  const staying = await stayingSessions(cluster, primary);
  await cluster.settle();
  staying.push(...(await stayingSessions(cluster, (await cluster.leader()) ?? primary)));
  return { outageMs: servedAt - failedAt, wayMs, recoveryMs, staying };
}
