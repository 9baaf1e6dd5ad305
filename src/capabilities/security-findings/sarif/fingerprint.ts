import { createHash } from 'node:crypto';
import type { ScanFinding } from './scan-finding.ts';

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
  /** Which of several alike it is, counted from 1. */
  occurrence?: number;
};

export type Identifiable = FingerprintInput & Pick<ScanFinding, 'startLine' | 'endLine' | 'description'>;

/**
 * Identity of a finding within its repository. It holds no line, so it survives moved lines: the rule and path with
 * the given fingerprint, the partial one, the code without regard to white space, or, for want of all these, the
 * title. The path is always part of it, so that what a scan says of other files never changes it (ADR 0040).
 */
export function findingFingerprint(input: FingerprintInput): string {
  if (input.fingerprint != null && FINAL_FORM.test(input.fingerprint)) return input.fingerprint;
  const identity = JSON.stringify([...basisOf(input), input.occurrence ?? 1]);
  return `pf1-${createHash('sha256').update(identity).digest('hex').slice(0, 40)}`;
}

/**
 * Fingerprints of all findings of one scan, in their order. Findings alike are counted from the top of their file;
 * only those that also agree in place and text, the same one reported twice, share a fingerprint.
 */
export function fingerprintFindings(findings: readonly Identifiable[]): string[] {
  const groups = Map.groupBy(findings.keys(), (index) => JSON.stringify(basisOf(at(findings, index))));
  const fingerprints = new Array<string>(findings.length);
  for (const indexes of groups.values()) {
    const [only] = indexes;
    if (only !== undefined && indexes.length === 1) {
      fingerprints[only] = findingFingerprint(at(findings, only));
      continue;
    }
    const occurrences = new Map<string, number>();
    for (const index of indexes.sort((a, b) => byPlace(at(findings, a), at(findings, b)))) {
      const finding = at(findings, index);
      const sighting = JSON.stringify([
        finding.filePath,
        finding.startLine,
        finding.endLine,
        finding.title,
        finding.description,
      ]);
      const occurrence = occurrences.get(sighting) ?? occurrences.size + 1;
      occurrences.set(sighting, occurrence);
      fingerprints[index] = findingFingerprint({ ...finding, occurrence });
    }
  }
  return fingerprints;
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

function byPlace(a: Identifiable, b: Identifiable): number {
  return (
    byText(a.filePath, b.filePath) ||
    a.startLine - b.startLine ||
    a.endLine - b.endLine ||
    byText(a.title, b.title) ||
    byText(a.description ?? '', b.description ?? '')
  );
}

function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function at(findings: readonly Identifiable[], index: number): Identifiable {
  return findings[index] as Identifiable;
}
