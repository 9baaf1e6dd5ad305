import type { Database } from '../../db/database.ts';
import type { Capability } from '../capability.ts';
import { findingDismissedEvent } from './dismissals/dismiss-findings.ts';
import { securityFindingEndpoints } from './routes.ts';
import { securityScanEvent } from './scans/apply-scans.ts';

/** Receives scans and dismissals, and serves the inventory of findings. */
export function securityFindings(deps: { database: Database }): Capability {
  return {
    endpoints: securityFindingEndpoints(deps),
    eventTypes: [securityScanEvent, findingDismissedEvent],
  };
}
