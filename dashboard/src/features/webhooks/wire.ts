import type { z } from 'zod';
import type * as schemas from '../../../../src/capabilities/webhooks/schemas.ts';

export type Webhook = z.output<typeof schemas.webhookView>;
export type WebhookType = Webhook['types'][number];
export type WebhookPage = z.output<typeof schemas.webhookPage>;
export type CreatedWebhook = z.output<typeof schemas.createdWebhook>;
export type RotatedSecret = z.output<typeof schemas.rotatedSecret>;
export type Delivery = z.output<typeof schemas.deliveryView>;
export type DeliveryPage = z.output<typeof schemas.deliveryPage>;

/** What each type of event means, in the order of the form. */
export const typeLabels: Record<WebhookType, string> = {
  'postil.review.finished': 'A review has finished',
  'postil.finding.posted': 'A finding was posted',
  'postil.finding.outcome_changed': 'The outcome of a finding has changed',
  'postil.learning.pending': 'A Learning is pending approval',
  'postil.learning.decided': 'A Learning was approved or disapproved',
  'postil.security.opened': 'A security finding has opened',
  'postil.security.fixed': 'A security finding was fixed',
  'postil.member.changed': 'A member, role or seat has changed',
};

/** The label of a type; the test event has none. */
export function labelOfType(type: string): string {
  return typeLabels[type as WebhookType] ?? 'Test event';
}

/** The key under which the webhooks of an organization are cached. */
export function webhooksKey(organizationId: string) {
  return ['webhooks', organizationId];
}
