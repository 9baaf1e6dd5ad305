import type { Database } from '../../../db/database.ts';
import { collectedGauge, type MetricsRegistry } from '../../../lib/metrics.ts';
import { chatRecipient, sendingStates } from '../digest-record.ts';

const measuredMs = 7 * 86_400_000;

/** Exports the delivery states of the last week's digests to Prometheus. */
export function measureDigests(
  registry: MetricsRegistry,
  { database: { sql }, clock }: { readonly database: Database; readonly clock: () => Date },
): void {
  collectedGauge(
    registry,
    {
      name: 'postil_digest_sendings',
      help: 'Digests of the last 7 days by channel (mail, chat) and state; failed ones were given up, and of unknown ones nobody knows whether they arrived',
      labels: ['channel', 'state'],
    },
    async () => {
      const rows = await sql<{ channel: string; state: string; count: number }[]>`
        SELECT CASE recipient WHEN ${chatRecipient} THEN 'chat' ELSE 'mail' END AS channel, state, count(*)::int
        FROM digest_sendings
        WHERE changed_at > ${new Date(clock().getTime() - measuredMs)}
        GROUP BY 1, 2`;
      const found = new Map(rows.map(({ channel, state, count }) => [`${channel} ${state}`, count]));
      return ['mail', 'chat'].flatMap((channel) =>
        sendingStates.map((state) => [{ channel, state }, found.get(`${channel} ${state}`) ?? 0] as const),
      );
    },
  );
}
