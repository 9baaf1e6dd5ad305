import { FINDING_LIMITS } from './scan-finding.ts';

const CWE_IN_TEXT = /(?<![a-z])cwe[-_: ]?0*([1-9]\d{0,4})(?!\d)/gi;
const BARE_NUMBER = /^\s*0*([1-9]\d{0,4})\s*$/;

/** Finds every CWE named by a string (`external/cwe/cwe-079`, `CWE-79: …`, `79`), a number or a list of them, as `CWE-79`. */
export function parseCwe(value: unknown): string[] {
  const parts = Array.isArray(value) ? value : [value];
  return sortCwe(parts.flatMap((part) => [...cweNumbersIn(part, true)].map(nameOf)));
}

/** Finds the CWEs in a list of tags; a tag that is only a number is not a CWE. */
export function cweOfTags(tags: unknown): string[] {
  if (!Array.isArray(tags)) return [];
  return sortCwe(tags.flatMap((tag) => [...cweNumbersIn(tag, false)].map(nameOf)));
}

/** Sorts names in ascending order without duplicates, limited to as many as one finding keeps. */
export function sortCwe(names: readonly string[]): string[] {
  if (names.length < 2) return [...names];
  return [...new Set(names)].sort((a, b) => numberOf(a) - numberOf(b)).slice(0, FINDING_LIMITS.cweCount);
}

/** The number of a name such as `CWE-79`. */
export function numberOf(name: string): number {
  return Number(name.slice('CWE-'.length));
}

/** The tag for a CWE in the format of GitHub and others. */
export function cweTag(name: string): string {
  return `external/cwe/cwe-${String(numberOf(name)).padStart(3, '0')}`;
}

function nameOf(digits: string): string {
  return `CWE-${digits}`;
}

function* cweNumbersIn(value: unknown, acceptBareNumber: boolean): Generator<string> {
  if (typeof value !== 'string' && typeof value !== 'number') return;
  const text = String(value);
  const number = acceptBareNumber ? BARE_NUMBER.exec(text)?.[1] : undefined;
  if (number !== undefined) yield number;
  for (const match of text.matchAll(CWE_IN_TEXT)) if (match[1] !== undefined) yield match[1];
}
