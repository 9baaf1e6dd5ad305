import { type MetricsClient, readMetrics } from './server-metrics.ts';

const usableReplica = /^postil_replica_usable\{replica="(\d+)"\}$/;

/** Describes the lag of the replicas; throws if the server does not use one of them, since then the primary serves its reads. */
export async function describeReplicas(client: MetricsClient): Promise<string> {
  const metrics = await readMetrics(client);
  const replicas = [...metrics].flatMap(([name, usable]) => {
    const [, number] = usableReplica.exec(name) ?? [];
    if (number === undefined) return [];
    const seconds =
      metrics.get(`postil_replica_lag_seconds{replica="${number}"}`) ?? Number.POSITIVE_INFINITY;
    return [{ number, isUsable: usable === 1, seconds }];
  });
  if (replicas.length === 0) return 'none';
  const excluded = replicas.filter(({ isUsable }) => !isUsable).map(({ number }) => number);
  if (excluded.length > 0)
    throw new Error(
      `not used: number ${excluded.join(', ')} in DATABASE_REPLICA_URL; see "a replica is not used" in the server's log`,
    );
  const lag = Math.max(...replicas.map(({ seconds }) => seconds));
  return `${replicas.length} in use, at most ${Math.ceil(lag)} s behind`;
}
