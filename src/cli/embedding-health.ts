import type { OperatorClient } from './operator-client.ts';

type MetricsClient = Pick<OperatorClient, 'readText'>;

/** The server's metrics by name and labels. */
async function readMetrics(client: MetricsClient): Promise<Map<string, number>> {
  const metrics = new Map<string, number>();
  for (const line of (await client.readText('/metrics')).split('\n')) {
    const [, name, value] = /^([^#]\S*) (\S+)$/.exec(line) ?? [];
    if (name !== undefined) metrics.set(name, Number(value));
  }
  return metrics;
}

/** Describes the state of the embedding model; throws if its latest call failed, since search then works by words alone. */
export async function describeEmbeddings(client: MetricsClient): Promise<string> {
  const metrics = await readMetrics(client);
  const waiting = metrics.get('postil_learnings_waiting_for_index') ?? 0;
  const queue = `${waiting} ${waiting === 1 ? 'Learning' : 'Learnings'} waiting to be indexed`;
  const states = ['document', 'query'].map((kind) => metrics.get(`postil_embedding_failing{kind="${kind}"}`));
  if (states.includes(1))
    throw new Error(`the embedding model is failing, ${queue}: see "embedding failed" in the server log`);
  return states.includes(0) ? `working, ${queue}` : `not used yet, ${queue}`;
}
