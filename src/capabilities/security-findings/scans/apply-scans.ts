import type { Tx } from '../../../db/database.ts';
import { toolKey } from '../../../lib/sarif/scan-tool.ts';
import { preparedEventType, type ReceivedEvent } from '../../intake/event-type.ts';
import { applyAnnounced } from './announce-findings.ts';
import { findingId } from './finding-id.ts';
import { identifyFindings } from './identify-findings.ts';
import { type PreparedScan, readScan, type ToolScan } from './read-scan.ts';
import { firstScanThatWouldShow } from './scan-coverage.ts';
import { securityScanData } from './scan-data.ts';
import {
  backdateDetections,
  closeMissingFindings,
  findKnownFindings,
  findLaterScans,
  lockRepositories,
  type PlacedScan,
  recordScan,
  storeDetections,
} from './scan-store.ts';
import { storeToolFacts } from './tool-store.ts';

/** `postil.security_scan`: the result is the state of the newest scan, whatever order scans arrive in. */
export const securityScanEvent = preparedEventType({
  type: 'postil.security_scan',
  data: securityScanData,
  looseField: 'sarif',
  prepare: readScan,
  warningsOf: ({ warnings }) => warnings,
  isIdempotent: true,
  hasRepository: true,
  async apply(tx, events, { now }) {
    const placed = events.flatMap((event) =>
      event.data.tools.map((toolScan) => ({ scan: placeScan(event, toolScan), toolScan })),
    );
    const scans = placed.map(({ scan }) => scan);
    await lockRepositories(tx, scans);
    await applyAnnounced(tx, now, scans, async () => {
      for (const { scan, toolScan } of placed) await applyScan(tx, scan, toolScan);
    });
    return [];
  },
});

function placeScan(
  { time, source, organization, repository, data }: ReceivedEvent<PreparedScan>,
  { tool, unread }: ToolScan,
): PlacedScan {
  if (repository === null) throw new Error('A scan without a repository passed the intake');
  const { scanId, revision, coverage } = data;
  return {
    organizationId: organization.id,
    repositoryId: repository.id,
    tool: tool ?? toolKey({ source }),
    scannedAt: time,
    scanId,
    revision,
    coverage,
    unread,
  };
}

/**
 * The state of a finding never depends on the order of arrival (ADR 0040), but only on its newest detection and on the first
 * later scan of its tool that covered its file.
 */
async function applyScan(tx: Tx, scan: PlacedScan, { findings, facts, rules }: ToolScan): Promise<void> {
  await recordScan(tx, scan);
  const laterScans = await findLaterScans(tx, scan);
  const isNewest = laterScans.length === 0;
  const known = findings.length === 0 ? [] : await findKnownFindings(tx, scan);
  const stored = identifyFindings({ ...scan, isNewest }, findings, known)
    .map((finding) => ({
      ...finding,
      id: findingId(scan.organizationId, scan.repositoryId, finding.fingerprint),
      fixedAt: firstScanThatWouldShow(laterScans, finding),
    }))
    // In one order, so that a scan and a batch of dismissals cannot deadlock.
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  await storeDetections(tx, scan, stored);
  if (facts !== null) await storeToolFacts(tx, scan, facts, rules);
  if (!isNewest)
    await backdateDetections(
      tx,
      scan,
      stored.map(({ id }) => id),
    );
  await closeMissingFindings(tx, scan, isNewest);
}
