import postgres from 'postgres';
import { type ClientOptions, clientArguments } from './client-options.ts';
import { readDatabaseUrl } from './database-url.ts';
import { closeGaps, sendAgain } from './left-overs.ts';
import { countFailure, interceptQueries } from './query-internals.ts';
import { type ServingHost, servingHost } from './serving-host.ts';
import type { ConnectionTarget, Sql } from './sql.ts';

/** How long a host may take to say what it is. */
const maxAskMs = 3_000;
const servingHosts = new WeakMap<ConnectionTarget, ServingHost>();

/** Which host of a target to connect to, the same for all its connections; undefined if it names only one. */
export function servingHostOf(target: ConnectionTarget, isReplica = false): ServingHost | undefined {
  if (!('url' in target)) return undefined;
  const { hosts, ofHost } = readDatabaseUrl(target.url);
  if (hosts.length === 1) return undefined;
  const known = servingHosts.get(target);
  if (known !== undefined) return known;
  const serving = servingHost(
    hosts,
    async (host) => (await isStandby(ofHost(host))) === isReplica,
    isReplica ? 'standby' : 'primary',
  );
  servingHosts.set(target, serving);
  return serving;
}

async function isStandby(url: string): Promise<boolean> {
  const client = openClient(
    { url },
    { max: 1, applicationName: 'postil', isReplica: true, maxSilenceMs: maxAskMs },
  );
  try {
    const [row] = await client<{ standby: boolean }[]>`select pg_is_in_recovery() as standby`;
    return row!.standby;
  } finally {
    void client.end({ timeout: 0 });
  }
}

/** A postgres.js client that connects on first use. */
export function openClient(target: ConnectionTarget, options: ClientOptions): Sql {
  const serving = servingHostOf(target, options.isReplica);
  const client = postgres(...clientArguments(target, options, serving)) as unknown as Sql;
  return interceptQueries(client, (query) => {
    sendAgain(query, options.max);
    closeGaps(query);
    countFailure(query);
  });
}
