import type { OrganizationId } from '../../lib/ids.ts';

/** What webhooks can subscribe to. */
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

/** What the test button sends, whatever the webhook subscribes to. */
export const testType = 'postil.webhook.test';

/** Something that happened in an organization. */
export interface Announcement {
  readonly organizationId: OrganizationId;
  readonly type: AnnouncementType;
  /** What it is about, such as `reviews/<id>`; events about one subject arrive in the order in which they happened. */
  readonly subject: string;
  /** The `data` of the event, in the form that the API's lists use. It must never contain a secret. */
  readonly data: object;
}
