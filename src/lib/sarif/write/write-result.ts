import { isDeepStrictEqual } from 'node:util';
import type { CodeFlow, Result } from 'sarif';
import { clipText } from '../clip-text.ts';
import { FINGERPRINT_KEY } from '../fingerprint.ts';
import type { KeptParts } from '../kept-parts.ts';
import { NOTES_KEY } from '../own-notes.ts';
import { messageText, resultText } from '../read/read-message.ts';
import { readReachability } from '../read/read-reachability.ts';
import { titleOf } from '../read/read-title.ts';
import type { FoundRule } from '../read/rule-index.ts';
import type { Component, Descriptor, Message, SarifResult } from '../read/sarif-shape.ts';
import { FINDING_LIMITS } from '../scan-finding.ts';
import { UNKNOWN_TOOL } from '../scan-tool.ts';
import { LEVEL_OF_SEVERITY, SCORE_OF_SEVERITY, severityOf } from '../severity.ts';
import type { ExportRow, OpenRun } from './export-row.ts';
import { cweReference } from './run-rules.ts';
import { artifactLocationOf, writeReachability } from './write-reachability.ts';

/** UUIDs that the SARIF schema accepts; it does not know the newer versions. */
const SARIF_GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Writes a finding as a result. What SARIF cannot express, or would change when read back, goes into its notes. */
export function writeResult(row: ExportRow, run: OpenRun): Result {
  const isNative = row.origin === null && row.tool !== UNKNOWN_TOOL;
  const rule = run.rules.add({ ...row, isNative });
  const kept = run.artifacts.admit(row.origin?.kept ?? {}) as KeptParts;
  const found = { id: row.ruleId, descriptor: rule.descriptor as Descriptor, component: {} as Component };
  const message = row.description || row.title || row.ruleId;
  const flows = writeFlows(row, kept, found, run);
  const level = row.origin?.level ?? LEVEL_OF_SEVERITY[row.severity];
  const score = row.origin ? row.origin.score : isNative ? SCORE_OF_SEVERITY[row.severity] : null;
  const hasGuid = SARIF_GUID.test(row.id);
  const read = readBack(row, rule.descriptor, message);
  const readSeverity = severityOf(
    [score ?? kept.properties?.['security-severity'], rule.descriptor.properties?.['security-severity']],
    level,
  );
  const notes = {
    ...(!hasGuid && { id: row.id }),
    ...(row.scanId !== run.first.scanId && { scanId: row.scanId }),
    ...(row.coverageScope !== run.first.coverageScope && { coverageScope: row.coverageScope }),
    ...(row.fixedAt !== null && { fixedAt: timeOf(row.fixedAt) }),
    ...(row.ruleId.trim() === '' && { ruleId: row.ruleId }),
    ...(row.title !== read.title && { title: row.title }),
    ...(row.description !== read.description && { description: row.description }),
    ...(row.severity !== readSeverity && { severity: row.severity }),
    ...(!flows.exact && { reachability: row.reachability }),
  };
  const properties = {
    ...kept.properties,
    ...(score !== null && { 'security-severity': score }),
    ...(Object.keys(notes).length > 0 && { [NOTES_KEY]: notes }),
  };

  return {
    ruleId: row.ruleId,
    ruleIndex: rule.index,
    level,
    message: messageOf(kept, message, found) as Result['message'],
    locations: [locationOf(row)],
    ...(hasGuid && { correlationGuid: row.id }),
    ...fingerprintsOf(row),
    // The standard requires suppressions on all results of a run or on none.
    suppressions: row.state === 'dismissed' ? [suppressionOf(row.dismissal)] : [],
    baselineState: baselineStateOf(row),
    provenance: {
      firstDetectionTimeUtc: timeOf(row.firstDetectedAt),
      lastDetectionTimeUtc: timeOf(row.lastSeenAt),
    },
    ...(row.cwe.length > 0 && { taxa: row.cwe.map(cweReference) }),
    ...(flows.codeFlows.length > 0 && { codeFlows: flows.codeFlows }),
    ...(kept.stacks && { stacks: kept.stacks as Result['stacks'] }),
    ...(kept.relatedLocations && { relatedLocations: kept.relatedLocations as Result['relatedLocations'] }),
    ...(kept.fixes && { fixes: kept.fixes as Result['fixes'] }),
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

/** The original message if its text still matches the finding's; the rule's description may have changed since. */
function messageOf(kept: KeptParts, plain: string, found: FoundRule): KeptParts['message'] {
  if (kept.message === undefined) return { text: plain };
  const result = { message: kept.message, relatedLocations: kept.relatedLocations } as SarifResult;
  const clip = (text: string) => clipText(text, FINDING_LIMITS.descriptionLength);
  return clip(resultText(result, found)) === clip(plain) ? kept.message : { text: plain };
}

/** The original code flows or, if there are none, flows generated from the call stacks. */
function writeFlows(
  { reachability }: ExportRow,
  { codeFlows, stacks }: KeptParts,
  found: FoundRule,
  { paths }: OpenRun,
): { codeFlows: CodeFlow[]; exact: boolean } {
  if (codeFlows === undefined && stacks === undefined)
    return reachability === null ? { codeFlows: [], exact: true } : writeReachability(reachability);
  const textOf = (message: Message | null | undefined) => messageText(message, found);
  const read = readReachability({ codeFlows, stacks } as SarifResult, { paths, sharedSteps: [], textOf });
  return {
    codeFlows: (codeFlows ?? []) as CodeFlow[],
    exact: reachability === null || isDeepStrictEqual(read, reachability),
  };
}

/** The title and description that reading the result back would give. */
function readBack(row: ExportRow, descriptor: Parameters<typeof titleOf>[0], message: string) {
  const text = clipText(message, FINDING_LIMITS.descriptionLength);
  const title = clipText(titleOf(descriptor, row.ruleId, text), FINDING_LIMITS.titleLength) || row.ruleId;
  return { title, description: text === '' || text === title ? null : text };
}

/** The tool's own fingerprints, plus ours. GitHub only uses the line hash, so there is always one. */
function fingerprintsOf({
  fingerprint,
  origin,
}: ExportRow): Pick<Result, 'fingerprints' | 'partialFingerprints'> {
  const { fingerprints = {}, partialFingerprints = {} } = origin ?? {};
  return {
    ...(Object.keys(fingerprints).length > 0 && { fingerprints }),
    partialFingerprints: {
      primaryLocationLineHash: fingerprint,
      ...partialFingerprints,
      [FINGERPRINT_KEY]: fingerprint,
    },
  };
}

function locationOf({ filePath, startLine, endLine, startColumn, endColumn }: ExportRow) {
  return {
    physicalLocation: {
      artifactLocation: artifactLocationOf(filePath),
      region: {
        startLine,
        ...(startColumn !== null && { startColumn }),
        endLine,
        ...(endColumn !== null && { endColumn }),
      },
    },
  };
}

function suppressionOf(dismissal: ExportRow['dismissal']) {
  return {
    kind: 'external' as const,
    status: 'accepted' as const,
    ...(dismissal && { justification: dismissal.reason }),
    ...(dismissal?.by != null && { properties: { by: dismissal.by } }),
  };
}

/** Compared with the inventory before the last scan: gone, seen only by that scan, or seen before. */
function baselineStateOf(row: ExportRow): 'absent' | 'new' | 'unchanged' {
  if (row.state === 'fixed') return 'absent';
  return timeOf(row.firstDetectedAt) === timeOf(row.lastSeenAt) ? 'new' : 'unchanged';
}

function timeOf(value: Date | string): string {
  return new Date(value).toISOString();
}
