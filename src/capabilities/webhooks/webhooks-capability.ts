import type { Capability } from '../capability.ts';
import type { WebhookDeps } from './create-webhook.ts';
import { type DeliveryDeps, deliverWebhooks, pruneWebhooks } from './delivery/schedules.ts';
import { webhookEndpoints } from './routes.ts';

/** Webhooks announce what happens in an organization. */
export function webhooks(
  deps: WebhookDeps &
    DeliveryDeps & { readonly settings: { readonly webhookMemoryDays?: number | undefined } },
): Capability {
  return {
    endpoints: webhookEndpoints(deps),
    schedules: [deliverWebhooks(deps), pruneWebhooks(deps, deps.settings.webhookMemoryDays)],
  };
}
