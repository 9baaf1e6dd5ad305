import { hash } from 'node:crypto';

/** Key under which an export carries our own fingerprints; the value is final and is never derived again. */
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

/** Tells whether a fingerprint is one that we made: it is unique and is taken as it is. */
export function isFinalFingerprint(fingerprint: string | null | undefined): fingerprint is string {
  return fingerprint != null && FINAL_FORM.test(fingerprint);
}

/**
 * What alike findings of a tool have in common. It holds no line, so it survives moved lines: the rule and path with the
 * given fingerprint, the partial one, the code without regard to white space, or, for want of all these, the title. The
 * path is always part of it, so that what a scan says of other files never changes it (ADR 0040).
 */
export function alikeKey(tool: string, input: FingerprintInput): string {
  return digest([tool, ...basisOf(input)]);
}

/** Fingerprint of one of the findings that are alike, by the order in which they were first seen, from 1. */
export function fingerprintOf(alike: string, ordinal: number): string {
  return `pf1-${digest([alike, ordinal])}`;
}

/**
 * Fingerprint that was given before tools were told apart, to the one that was so many from the top among those alike,
 * and when absolute paths were kept without their `/`.
 */
export function formerFingerprint(input: FingerprintInput, occurrence: number): string {
  const filePath = input.filePath.replace(/^\//, '');
  return `pf1-${digest([...basisOf({ ...input, filePath }), occurrence])}`;
}

function basisOf(input: FingerprintInput): string[] {
  const place = [input.ruleId, input.filePath];
  if (input.fingerprint) return ['given', ...place, input.fingerprint];
  if (input.partialFingerprint) return ['partial', ...place, input.partialFingerprint];
  const code = words(input.snippet ?? '');
  return code === '' ? ['title', ...place, words(input.title)] : ['code', ...place, code];
}

/** Text in which only the words count: indentation, line ends and wrapping may change. */
function words(text: string): string {
  return text.split(/\s+/).join(' ').trim();
}

function digest(parts: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 40);
}
