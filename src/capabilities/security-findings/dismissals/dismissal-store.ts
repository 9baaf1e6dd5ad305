import type { Tx } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';

/** Somebody's decision that a finding needs no fix. */
export interface Dismissal {
  readonly organizationId: OrganizationId;
  readonly findingId: string;
  readonly dismissedAt: Date;
  readonly reason: string;
  readonly by: string;
}

/**
 * Stores the newest dismissal of each finding and returns those that changed something. For a finding that is not known yet,
 * the row contains only the dismissal, so that a scan that stores the finding concurrently picks it up.
 */
export async function storeDismissals(
  tx: Tx,
  dismissals: readonly Dismissal[],
): Promise<(Dismissal & { readonly title: string | null })[]> {
  return tx<(Dismissal & { title: string | null })[]>`
    INSERT INTO security_findings AS known (organization_id, id, dismissed_at, dismissal_reason, dismissed_by)
    SELECT DISTINCT ON (d."organizationId", d."findingId")
      d."organizationId", d."findingId", d."dismissedAt", d.reason, d.by
    FROM json_to_recordset(${JSON.stringify(dismissals)}::text::json) AS d ("organizationId" uuid, "findingId" uuid,
      "dismissedAt" timestamptz, reason text COLLATE "C", by text COLLATE "C")
    ORDER BY d."organizationId", d."findingId", d."dismissedAt" DESC, d.reason DESC, d.by DESC
    ON CONFLICT (organization_id, id) DO UPDATE SET
      dismissed_at = excluded.dismissed_at, dismissal_reason = excluded.dismissal_reason,
      dismissed_by = excluded.dismissed_by
    WHERE known.dismissed_at IS NULL OR (known.dismissed_at, known.dismissal_reason, known.dismissed_by)
      < (excluded.dismissed_at, excluded.dismissal_reason, excluded.dismissed_by)
    RETURNING organization_id AS "organizationId", id AS "findingId", dismissed_at AS "dismissedAt",
      dismissal_reason AS reason, dismissed_by AS by, title`;
}
