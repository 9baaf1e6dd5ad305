import { setTimeout as sleep } from 'node:timers/promises';
import { deleteInSteps } from '../../../db/delete-in-steps.ts';
import { whileInHand } from '../../../lib/concurrency/in-hand.ts';
import type { Logger } from '../../../lib/log.ts';
import type { Schedule } from '../../../lib/schedule.ts';
import { endLease, executeOn, givenUpReason } from '../../../work/leases.ts';
import { forgetExpiredSecrets } from '../webhook-secret.ts';
import { type ClaimedDelivery, claimDeliveries, deliveryKind, releaseStranded } from './claim-deliveries.ts';
import { type SendDeps, sendDelivery } from './send-delivery.ts';
import { giveUpDelivery, settleDelivery } from './settle-delivery.ts';
import { defaultWebhookMemoryDays } from './webhook-memory.ts';

export type DeliveryDeps = SendDeps & { readonly log: Logger };

/** How many deliveries a node sends concurrently; a receiver that does not answer occupies a place, but no CPU. */
const maxAtOnce = 256;
const pollMs = 1_000;

async function send(deps: DeliveryDeps, delivery: ClaimedDelivery, signal: AbortSignal): Promise<void> {
  const { database, clock } = deps;
  const { lease } = delivery;
  if (lease === 'given up') return giveUpDelivery(database, delivery, givenUpReason, clock());
  try {
    const result = await sendDelivery(deps, delivery, signal);
    // If a stopping server aborts a delivery, it is retried when its lease expires.
    if (!signal.aborted || result.error === null) await settleDelivery(database, delivery, result, clock());
  } finally {
    await endLease(executeOn(database.sql), lease);
  }
}

async function attempt(deps: DeliveryDeps, delivery: ClaimedDelivery, signal: AbortSignal): Promise<void> {
  const { webhookId: webhook, id } = delivery;
  try {
    await whileInHand({ kind: deliveryKind, name: webhook, key: id }, () => send(deps, delivery, signal));
  } catch (error) {
    deps.log.error({ err: error, webhook, delivery: id }, 'a webhook delivery could not be attempted');
  }
}

function countBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, number> {
  return new Map([...Map.groupBy(items, keyOf)].map(([key, { length }]) => [key, length]));
}

/**
 * Sends due deliveries until there are none. A hanging delivery delays no others: they are claimed while it is under way,
 * and places are limited per webhook and shared between organizations. Deliveries of a crashed node are claimed again within
 * seconds.
 */
export function deliverWebhooks(deps: DeliveryDeps): Schedule {
  return {
    name: 'deliver webhooks',
    intervalMs: pollMs,
    async run(signal) {
      const underWay = new Map<ClaimedDelivery, Promise<void>>();
      let ended = 0;
      try {
        while (!signal.aborted) {
          const endedBefore = ended;
          const { claimed, hasMore } = await claimDeliveries(
            deps.database,
            deps.clock(),
            maxAtOnce - underWay.size,
            {
              ofWebhook: countBy(underWay.keys(), ({ webhookId }) => webhookId),
              ofOrganization: countBy(underWay.keys(), ({ organizationId }) => organizationId),
            },
          );
          for (const delivery of claimed)
            underWay.set(
              delivery,
              attempt(deps, delivery, signal).finally(() => {
                underWay.delete(delivery);
                ended += 1;
              }),
            );
          // A delivery that ended after the claim may have made the next one of its subject due.
          if (hasMore || ended > endedBefore) continue;
          if (underWay.size === 0) return;
          const pause = new AbortController();
          const poll = sleep(pollMs, undefined, { signal: AbortSignal.any([signal, pause.signal]) });
          await Promise.race([...underWay.values(), poll.catch(() => {})]);
          pause.abort();
        }
      } finally {
        await Promise.all(underWay.values());
      }
    },
  };
}

const dayMs = 24 * 60 * 60 * 1000;

/** Deletes expired deliveries and replaced secrets. */
export function pruneWebhooks(
  { database, vault, clock }: DeliveryDeps,
  memoryDays = defaultWebhookMemoryDays,
): Schedule {
  return {
    name: 'prune webhooks',
    intervalMs: 60_000,
    async run(signal) {
      const now = clock();
      const before = new Date(now.getTime() - memoryDays * dayMs);
      await deleteInSteps(
        signal,
        (limit) => database.sql`
          DELETE FROM webhook_deliveries WHERE (organization_id, webhook_id, id) IN (
            SELECT organization_id, webhook_id, id FROM webhook_deliveries WHERE created_at < ${before} LIMIT ${limit})`,
      );
      await releaseStranded(database.sql, now);
      await database.transaction((tx) => forgetExpiredSecrets(tx, vault, now));
    },
  };
}
