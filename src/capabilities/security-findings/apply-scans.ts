import type { Tx } from '../../db/database.ts';
import { preparedEventType, type ReceivedEvent } from '../intake/event-type.ts';
import { firstLookAt } from './coverage.ts';
import { findingId } from './finding-id.ts';
import { type PreparedScan, readScan } from './read-scan.ts';
import { securityScanData } from './scan-data.ts';
import {
  backdateDetections,
  closeMissing,
  findLaterScans,
  lockRepositories,
  noteScan,
  type PlacedScan,
  storeDetections,
} from './scan-store.ts';

/** `postil.security_scan`: whatever the order in which scans arrive, they end in the state of the newest. */
export const securityScanEvent = preparedEventType({
  type: 'postil.security_scan',
  data: securityScanData,
  prepare: readScan,
  hasRepository: true,
  async apply(tx, events) {
    const placed = events.map((event) => ({ scan: placeScan(event), findings: event.data.findings }));
    await lockRepositories(
      tx,
      placed.map(({ scan }) => scan),
    );
    for (const { scan, findings } of placed) await applyScan(tx, scan, findings);
    return [];
  },
});

function placeScan({ time, organization, repository, data }: ReceivedEvent<PreparedScan>): PlacedScan {
  if (repository === null) throw new Error('A scan without a repository passed the intake');
  const { scanId, revision, coverage } = data;
  return {
    organizationId: organization.id,
    repositoryId: repository.id,
    scannedAt: time,
    scanId,
    revision,
    coverage,
  };
}

/**
 * What is known of a finding depends on two things only, never on the order of arrival (ADR 0040): its newest
 * detection, and the first scan after that which looked at its file.
 */
async function applyScan(tx: Tx, scan: PlacedScan, findings: PreparedScan['findings']): Promise<void> {
  await noteScan(tx, scan);
  const laterScans = await findLaterScans(tx, scan);
  const stored = findings
    .map((finding) => ({
      ...finding,
      id: findingId(scan.organizationId, scan.repositoryId, finding.fingerprint),
      fixedAt: firstLookAt(laterScans, finding.filePath),
    }))
    // In one order, so that a scan and a batch of dismissals never wait for each other.
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  await storeDetections(tx, scan, stored);
  const isNewest = laterScans.length === 0;
  if (!isNewest)
    await backdateDetections(
      tx,
      scan,
      stored.map(({ id }) => id),
    );
  await closeMissing(tx, scan, isNewest);
}
