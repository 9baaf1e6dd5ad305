import { clipName, clipWholeText } from './clip-text.ts';
import { lineOf } from './read-place.ts';
import { FINDING_LIMITS, type Reachability, type ScanFinding } from './scan-finding.ts';

/** Property under which an export keeps what SARIF itself cannot say, or would say differently when read back. */
export const NOTES_KEY = 'postil';

/** How deep the call stacks of a finding may be nested. */
export const MAX_DEPTH = 12;

export type OwnNotes = Partial<
  Pick<ScanFinding, 'ruleId' | 'title' | 'description' | 'startLine' | 'endLine' | 'reachability'>
>;

/** Reads the notes of an export; whatever does not have the expected shape is passed over. */
export function readOwnNotes(properties: Record<string, unknown> | null | undefined): OwnNotes {
  const notes = properties && Object.hasOwn(properties, NOTES_KEY) ? properties[NOTES_KEY] : null;
  if (!isRecord(notes)) return {};
  const { ruleId, title, description, reachability } = notes;
  return {
    ...(isFilled(ruleId) && { ruleId: clipName(ruleId, FINDING_LIMITS.ruleIdLength) }),
    ...(isFilled(title) && { title: clipWholeText(title, FINDING_LIMITS.titleLength) }),
    ...(description === null && { description }),
    ...(typeof description === 'string' && {
      description: clipWholeText(description, FINDING_LIMITS.descriptionLength),
    }),
    ...readLines(notes),
    ...(isReachability(reachability) && {
      reachability: { callStacks: reachability.callStacks, explanation: reachability.explanation },
    }),
  };
}

/** Lines of a finding about no file, for which SARIF has no place. */
function readLines(notes: Record<string, unknown>): OwnNotes {
  const [startLine, endLine] = [notes.startLine, notes.endLine].map((line) =>
    typeof line === 'number' ? lineOf(line) : undefined,
  );
  if (startLine === undefined || endLine === undefined) return {};
  return { startLine, endLine: Math.max(startLine, endLine) };
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.replaceAll('\0', '') !== '';
}

function isReachability(value: unknown): value is Reachability {
  return (
    isRecord(value) &&
    Array.isArray(value.callStacks) &&
    (value.explanation === null || typeof value.explanation === 'string') &&
    isShallow(value.callStacks, MAX_DEPTH)
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Tells whether nothing is nested so deep that storing or writing it again could exhaust the stack. */
export function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((part) => isShallow(part, depth - 1));
}
