import { isUnstorable } from '../../wire/unstorable-text.ts';
import { clipName } from '../clip-text.ts';
import { FINGERPRINT_KEY, isFinalFingerprint } from '../fingerprint.ts';
import { FINDING_LIMITS, type Origin } from '../scan-finding.ts';
import type { SarifLevel } from '../severity.ts';
import type { SarifResult } from './sarif-shape.ts';

/** A well-known scanner writes this instead of every fingerprint when its user is not signed in. */
const PLACEHOLDER = 'requires login';

/** Hash of the code at the primary location, which many tools and hosts agree on. */
const LINE_HASH = /^primaryLocationLineHash(\/|$)/;

export type GivenIdentity = { fingerprint: string | null; partialFingerprint: string | null };

/**
 * Reads how the log identifies a result. Our own fingerprint is preferred, then a full one, then the hash of the line. Other
 * partial fingerprints (some contain only a commit or an author) and finally the message are used only if there is no code to
 * identify it.
 */
export function readFingerprint(
  result: Pick<SarifResult, 'fingerprints' | 'partialFingerprints'>,
  snippet: string | null,
  message: string,
): GivenIdentity {
  const full = usableEntries(result.fingerprints);
  const partial = usableEntries(result.partialFingerprints);
  const own = partial.find(([key]) => key === FINGERPRINT_KEY)?.[1];
  const fingerprint = own ?? full[0]?.[1];
  if (fingerprint !== undefined) return { fingerprint: clip(fingerprint), partialFingerprint: null };

  const lineHash = partial.find(([key]) => LINE_HASH.test(key))?.[1];
  if (lineHash !== undefined) return { fingerprint: null, partialFingerprint: clip(lineHash) };
  if (snippet?.trim()) return { fingerprint: null, partialFingerprint: null };
  const rest = partial.length > 0 ? JSON.stringify(partial) : withoutPositions(message);
  return { fingerprint: null, partialFingerprint: clip(rest) || null };
}

/**
 * Reads the parts of a result that an export repeats in addition to the inventory's fields. A fingerprint is never shortened:
 * it is kept whole or dropped.
 */
export function readOrigin(
  {
    fingerprints,
    partialFingerprints,
    properties,
  }: Pick<SarifResult, 'fingerprints' | 'partialFingerprints' | 'properties'>,
  level: SarifLevel,
): Origin {
  const score = properties?.['security-severity'];
  return {
    fingerprints: storableFingerprints(fingerprints),
    partialFingerprints: storableFingerprints(partialFingerprints),
    level,
    score: typeof score === 'number' || (typeof score === 'string' && score.length < 20) ? score : null,
  };
}

function storableFingerprints(given: SarifResult['fingerprints']): Record<string, string> {
  const isKept = (text: string) => text.length <= FINDING_LIMITS.fingerprintLength && !isUnstorable(text);
  const kept = Object.entries(given ?? {}).filter(
    ([key, value]) =>
      key !== FINGERPRINT_KEY && value != null && !isFinalFingerprint(value) && isKept(key) && isKept(value),
  );
  return Object.fromEntries(kept.slice(0, FINDING_LIMITS.fingerprintCount)) as Record<string, string>;
}

/** The non-empty entries sorted by name, with the highest version of a name first (`hash/v2` before `hash/v1`). */
function usableEntries(fingerprints: SarifResult['fingerprints']): [string, string][] {
  return Object.entries(fingerprints ?? {})
    .map(([key, value]): [string, string] => [key, value ?? ''])
    .filter(([, value]) => value.trim() !== '' && value !== PLACEHOLDER)
    .sort(([a], [b]) => {
      const [left, right] = [splitVersion(a), splitVersion(b)];
      if (left.name !== right.name) return left.name < right.name ? -1 : 1;
      return right.version - left.version;
    });
}

function splitVersion(key: string): { name: string; version: number } {
  const match = /^(.*)\/v(\d{1,9})$/s.exec(key);
  return { name: match?.[1] ?? key, version: Number(match?.[2] ?? 0) };
}

/** Removes the lines and columns that a message mentions, since they change when code moves. */
function withoutPositions(message: string): string {
  return message
    .replace(/\b(lines?|columns?|col)(\s+|:\s*)\d+/gi, '$1')
    .replace(/:\d+(:\d+)?\b/g, '')
    .split(/\s+/)
    .join(' ')
    .trim();
}

function clip(value: string): string {
  return clipName(value, FINDING_LIMITS.fingerprintLength);
}
