import type { OperatorClient } from './operator-client.ts';

type MetricsClient = Pick<OperatorClient, 'readText'>;

/** The value of each metric of a server, by its name and labels. */
async function readMetrics(client: MetricsClient): Promise<Map<string, number>> {
  const metrics = new Map<string, number>();
  for (const line of (await client.readText('/metrics')).split('\n')) {
    const [, name, value] = /^([^#]\S*) (\S+)$/.exec(line) ?? [];
    if (name !== undefined) metrics.set(name, Number(value));
  }
  return metrics;
}

/** Says how the server's embedding model does; throws when its latest call failed. Search goes on without it, by words alone. */
export async function describeEmbeddings(client: MetricsClient): Promise<string> {
  const metrics = await readMetrics(client);
  const waiting = metrics.get('postil_learnings_waiting_for_index') ?? 0;
  const queue = `${waiting} ${waiting === 1 ? 'Learning waits' : 'Learnings wait'} to be indexed`;
  const states = ['document', 'query'].map((kind) => metrics.get(`postil_embedding_failing{kind="${kind}"}`));
  if (states.includes(1))
    throw new Error(`the embedding model fails, and ${queue}: see "embedding failed" in the server's log`);
  return states.includes(0) ? `work, ${queue}` : `not used yet, ${queue}`;
}
