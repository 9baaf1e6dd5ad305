import postgres from 'postgres';
import { type ClientOptions, clientOptions } from './client-options.ts';
import { type Host, nameOf, readDatabaseUrl } from './database-url.ts';
import { closeGaps, sendAgain } from './left-overs.ts';
import { countFailure, interceptQueries } from './query-internals.ts';
import { askAll, type HostAnswer, type HostState, type ServingHost, servingHost } from './serving-host.ts';
import type { ConnectionTarget, Sql } from './sql.ts';
import { isConnectionFailure } from './unavailable.ts';

/** Timeout for asking a host for its role. */
const maxAskMs = 3_000;
const servingHosts = new WeakMap<ConnectionTarget, ServingHost>();

/** Finds the serving host of a target, shared by all its connections; undefined if the URL names only one host. */
export function servingHostOf(target: ConnectionTarget, isReplica = false): ServingHost | undefined {
  if (!('url' in target)) return undefined;
  const { hosts, ofHost } = readDatabaseUrl(target.url);
  if (hosts.length === 1) return undefined;
  const known = servingHosts.get(target);
  if (known !== undefined) return known;
  const serving = servingHost(hosts, (host) => askHost(host, ofHost(host)), { isReplica });
  servingHosts.set(target, serving);
  return serving;
}

/** Asks each host of a URL for its role. */
export async function askHostsOf(url: string): Promise<readonly HostState[]> {
  const { hosts, ofHost } = readDatabaseUrl(url);
  return askAll(hosts, (host) => askHost(host, ofHost(host)));
}

async function askHost(host: Host, url: string): Promise<HostAnswer> {
  const client = openClient(
    { url },
    { max: 1, applicationName: 'postil', isReplica: true, maxSilenceMs: maxAskMs },
  );
  try {
    const [row] = await client<{ standby: boolean }[]>`select pg_is_in_recovery() as standby`;
    const isStandby = row!.standby;
    const details = isStandby ? askStandby(client) : askPrimary(client);
    return await details.catch((error: unknown) => {
      if (isConnectionFailure(error)) throw error;
      // Some managed services do not allow these functions.
      return { isStandby, cluster: undefined, timeline: 0, server: nameOf(host), position: undefined };
    });
  } finally {
    void client.end({ timeout: 0 });
  }
}

async function askPrimary(client: Sql): Promise<HostAnswer> {
  // The timeline in the control file is that of the last checkpoint, so it is outdated for minutes after a promotion.
  const [row] = await client<[Said & { timeline: number }]>`
    select ${aboutServer(client)}, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline,
      (pg_current_wal_lsn() - '0/0'::pg_lsn)::text as position`;
  return { ...row, isStandby: false, position: BigInt(row.position) };
}

async function askStandby(client: Sql): Promise<HostAnswer> {
  const [row] = await client<[Omit<Said, 'position'> & { position: string | null }]>`
    select ${aboutServer(client)}, (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text as position`;
  return { ...row, isStandby: true, timeline: 0, position: BigInt(row.position ?? 0) };
}

interface Said {
  readonly cluster: string;
  readonly server: string;
  readonly position: string;
}

const aboutServer = (client: Sql) => client`
  (select system_identifier::text from pg_control_system()) as cluster,
  extract(epoch from pg_postmaster_start_time())::text as server`;

/** A postgres.js client that connects on first use. */
export function openClient(target: ConnectionTarget, options: ClientOptions): Sql {
  const serving = servingHostOf(target, options.isReplica);
  const client = postgres(clientOptions(target, options, serving)) as unknown as Sql;
  return interceptQueries(client, (query) => {
    sendAgain(query, options.max);
    closeGaps(query);
    countFailure(query);
  });
}
