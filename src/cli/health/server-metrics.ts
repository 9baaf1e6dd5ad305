import type { OperatorClient } from '../operator-client.ts';

export type MetricsClient = Pick<OperatorClient, 'readText'>;

/** The server's metrics by name and labels. */
export async function readMetrics(client: MetricsClient): Promise<Map<string, number>> {
  const metrics = new Map<string, number>();
  for (const line of (await client.readText('/metrics')).split('\n')) {
    const [, name, value] = /^([^#]\S*) (\S+)$/.exec(line) ?? [];
    if (name !== undefined) metrics.set(name, Number(value));
  }
  return metrics;
}
