import type { OrganizationId } from '../../lib/ids.ts';
import type { SecretId } from '../../secrets/vault.ts';
import type { AuditChange } from '../audit-log/record-changes.ts';
import type { AnnouncementType } from './announcement.ts';

export const deliveryStatuses = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Identifies a webhook and its organization. */
export interface WebhookKey {
  readonly organizationId: OrganizationId;
  readonly webhookId: string;
}

export interface Webhook extends WebhookKey {
  readonly url: string;
  readonly types: readonly AnnouncementType[];
  readonly isActive: boolean;
  readonly notice: string | null;
  readonly noticeAt: Date | null;
  readonly failingSince: Date | null;
  readonly secretId: SecretId;
  readonly createdAt: Date;
}

/** The context that secrets of webhooks are sealed for. */
export const secretPurpose = 'webhook secret';

export function presentWebhook(webhook: Webhook) {
  return {
    id: webhook.webhookId,
    url: webhook.url,
    types: webhook.types,
    active: webhook.isActive,
    notice: webhook.notice === null ? null : { at: webhook.noticeAt!.toISOString(), message: webhook.notice },
    failing_since: webhook.failingSince?.toISOString() ?? null,
    created_at: webhook.createdAt.toISOString(),
  };
}

/** The audit entry of a change; it names the host only, because a path or a query may contain a credential. */
export function webhookChangeEntry(
  action: 'created' | 'updated' | 'deleted' | 'paused' | 'secret_rotated',
  { organizationId, webhookId, url }: Pick<Webhook, 'organizationId' | 'webhookId' | 'url'>,
  metadata: Readonly<Record<string, unknown>> = {},
): AuditChange {
  return {
    organizationId,
    action: `webhook.${action}`,
    resourceType: 'webhook',
    resourceId: webhookId,
    resourceSummary: `Webhook to ${new URL(url).host}`,
    metadata,
  };
}
