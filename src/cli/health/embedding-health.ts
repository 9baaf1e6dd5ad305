import { type MetricsClient, readMetrics } from './server-metrics.ts';

/** Describes the state of the embedding model; throws if its latest call failed, since search then uses only words. */
export async function describeEmbeddings(client: MetricsClient): Promise<string> {
  const metrics = await readMetrics(client);
  const waiting = metrics.get('postil_learnings_waiting_for_index') ?? 0;
  const queue = `${waiting} ${waiting === 1 ? 'Learning' : 'Learnings'} waiting to be indexed`;
  const states = ['document', 'query'].map((kind) => metrics.get(`postil_embedding_failing{kind="${kind}"}`));
  if (states.includes(1))
    throw new Error(`the embedding model is failing, ${queue}: see "embedding failed" in the server log`);
  return states.includes(0) ? `working, ${queue}` : `not used yet, ${queue}`;
}
