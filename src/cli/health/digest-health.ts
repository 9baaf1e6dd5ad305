import { type MetricsClient, readMetrics } from './server-metrics.ts';

/** Describes the deliveries of digests in the last week; throws if some failed or their outcome is unknown. */
export async function describeDigests(client: MetricsClient): Promise<string> {
  const metrics = await readMetrics(client);
  const count = (channel: string, state: string) =>
    metrics.get(`postil_digest_sendings{channel="${channel}",state="${state}"}`) ?? 0;
  const total = (state: string) => count('mail', state) + count('chat', state);
  const lost = total('failed') + total('unknown');
  if (lost > 0)
    throw new Error(
      `${lost} digests of the last 7 days did not arrive, or it is unknown whether they did (mail: ${count('mail', 'failed')} failed, ${count('mail', 'unknown')} unknown; ` +
        `chat: ${count('chat', 'failed')} failed, ${count('chat', 'unknown')} unknown): see "a digest was not sent" in the server's log`,
    );
  return `${total('sent')} sent in the last 7 days, ${total('waiting')} waiting`;
}
