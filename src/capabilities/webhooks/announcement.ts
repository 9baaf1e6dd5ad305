import type { OrganizationId } from '../../lib/ids.ts';

/** The event types that webhooks can subscribe to. */
export const announcementTypes = [
  'postil.review.finished',
  'postil.finding.posted',
  'postil.finding.outcome_changed',
  'postil.learning.pending',
  'postil.learning.decided',
  'postil.security.opened',
  'postil.security.fixed',
  'postil.member.changed',
] as const;
export type AnnouncementType = (typeof announcementTypes)[number];

/** The type of the event that the test button sends, whatever the webhook subscribes to. */
export const testType = 'postil.webhook.test';

/** Something that happened in an organization. */
export interface Announcement {
  readonly organizationId: OrganizationId;
  readonly type: AnnouncementType;
  /** The subject of the event, such as `reviews/<id>`; events with the same subject are delivered in order. */
  readonly subject: string;
  /** The `data` of the event, in the form that the API's lists use. It must never contain a secret. */
  readonly data: object;
}
