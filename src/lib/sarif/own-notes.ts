import { clipName, clipWholeText } from './clip-text.ts';
import { FINDING_LIMITS, type Reachability, type ScanFinding } from './scan-finding.ts';
import { SEVERITIES, type Severity } from './severity.ts';
import { MAX_DEPTH, storableJson } from './storable-json.ts';

/** The property in which an export keeps what SARIF cannot express, or would change when read back. */
export const NOTES_KEY = 'postil';

export type OwnNotes = Partial<
  Pick<ScanFinding, 'ruleId' | 'title' | 'description' | 'severity' | 'reachability'>
>;

/** Checks whether a run is from our own export. */
export function isOwnRun(properties: Record<string, unknown> | null | undefined): boolean {
  return isRecord(properties?.[NOTES_KEY]) && 'scanId' in properties[NOTES_KEY];
}

/** Checks whether a run of our own export leaves out findings without a file. */
export function leavesOutFindingsWithoutFile(
  properties: Record<string, unknown> | null | undefined,
): boolean {
  const notes = properties?.[NOTES_KEY];
  return isRecord(notes) && Number(notes.findingsWithoutFile) > 0;
}

/** Reads the notes of an export; values of an unexpected shape are ignored. */
export function readOwnNotes(properties: Record<string, unknown> | null | undefined): OwnNotes {
  const notes = properties && Object.hasOwn(properties, NOTES_KEY) ? properties[NOTES_KEY] : null;
  if (!isRecord(notes)) return {};
  const { ruleId, title, description, severity } = notes;
  const reachability = storableJson(notes.reachability, MAX_DEPTH + 1, Number.POSITIVE_INFINITY);
  return {
    ...(isFilled(ruleId) && { ruleId: clipName(ruleId, FINDING_LIMITS.ruleIdLength) }),
    ...(isFilled(title) && { title: clipWholeText(title, FINDING_LIMITS.titleLength) }),
    ...(description === null && { description }),
    ...(typeof description === 'string' && {
      description: clipWholeText(description, FINDING_LIMITS.descriptionLength),
    }),
    ...(isSeverity(severity) && { severity }),
    ...(isReachability(reachability) && {
      reachability: { callStacks: reachability.callStacks, explanation: reachability.explanation },
    }),
  };
}

function isSeverity(value: unknown): value is Severity {
  return SEVERITIES.some((severity) => severity === value);
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.replaceAll('\0', '') !== '';
}

function isReachability(value: unknown): value is Reachability {
  return (
    isRecord(value) &&
    Array.isArray(value.callStacks) &&
    (value.explanation === null || typeof value.explanation === 'string')
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
