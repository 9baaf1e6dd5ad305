import { hash } from 'node:crypto';

/** The key of our own fingerprints in an export; the value is final and never derived again. */
export const FINGERPRINT_KEY = 'postil/v1';

const FINAL_FORM = /^pf1-[0-9a-f]{40}$/;

export type FingerprintInput = {
  ruleId: string;
  filePath: string;
  title: string;
  fingerprint?: string | null;
  partialFingerprint?: string | null;
  snippet?: string | null;
};

/** Checks whether a fingerprint is one of our own: those are unique and used unchanged. */
export function isFinalFingerprint(fingerprint: string | null | undefined): fingerprint is string {
  return fingerprint != null && FINAL_FORM.test(fingerprint);
}

/**
 * The key that similar findings of a tool share. It contains no line number, so that it survives moved lines, but the rule,
 * the path and the first of these that is known: the reported fingerprint, the partial one, the code ignoring white space, the
 * title. Since the path is always included, what a scan reports about other files never changes it (ADR 0040).
 */
export function alikeKey(tool: string, input: FingerprintInput): string {
  return digest([tool, ...basisOf(input)]);
}

/** The fingerprint of one of several findings with the same key, numbered from 1 in the order they were first seen. */
export function fingerprintOf(alike: string, ordinal: number): string {
  return `pf1-${digest([alike, ordinal])}`;
}

/**
 * The fingerprint that older versions computed: without the tool, with the position among similar findings, and with absolute
 * paths stored without their leading `/`.
 */
export function legacyFingerprint(input: FingerprintInput, occurrence: number): string {
  const filePath = input.filePath.replace(/^\//, '');
  return `pf1-${digest([...basisOf({ ...input, filePath }), occurrence])}`;
}

function basisOf(input: FingerprintInput): string[] {
  const place = [input.ruleId, input.filePath];
  if (input.fingerprint) return ['given', ...place, input.fingerprint];
  if (input.partialFingerprint) return ['partial', ...place, input.partialFingerprint];
  const code = collapseWhiteSpace(input.snippet ?? '');
  return code === '' ? ['title', ...place, collapseWhiteSpace(input.title)] : ['code', ...place, code];
}

/** Normalizes white space, since indentation, line ends and wrapping may change. */
function collapseWhiteSpace(text: string): string {
  return text.split(/\s+/).join(' ').trim();
}

function digest(parts: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 40);
}
