import { z } from 'zod';
import { systemActor } from '../../../access/actor.ts';
import { FINDING_LIMITS } from '../../../lib/sarif/scan-finding.ts';
import { uuid } from '../../../lib/wire/wire.ts';
import { recordChanges } from '../../audit-log/record-changes.ts';
import { eventType } from '../../intake/event-type.ts';
import { storeDismissals } from './dismissal-store.ts';

const dismissalData = z.strictObject({
  finding_id: uuid,
  reason: z.string().trim().min(1).max(FINDING_LIMITS.reasonLength),
  by: z.string().trim().min(1).max(255),
});

/** `postil.security_finding_dismissed`: the newest dismissal counts, even one that arrives before its finding. */
export const findingDismissedEvent = eventType<z.output<typeof dismissalData>>({
  type: 'postil.security_finding_dismissed',
  data: dismissalData,
  isIdempotent: true,
  hasRepository: false,
  async apply(tx, events, { now }) {
    const changed = await storeDismissals(
      tx,
      events.map(({ organization, time, data }) => ({
        organizationId: organization.id,
        findingId: data.finding_id,
        dismissedAt: time,
        reason: data.reason,
        by: data.by,
      })),
    );
    await recordChanges(
      tx,
      { actor: systemActor, now },
      changed.map(({ organizationId, findingId, title, reason, by }) => ({
        organizationId,
        action: 'security_finding.dismissed',
        resourceType: 'security_finding',
        resourceId: findingId,
        resourceSummary: title ?? `Security finding ${findingId}`,
        metadata: { reason, by },
      })),
    );
    return [];
  },
});
