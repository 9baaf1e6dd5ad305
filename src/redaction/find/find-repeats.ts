import { REDACTION_MARKER } from '../rule.ts';
import { isAlphanumeric } from '../token-rule.ts';
import { isDottedName, isLongNumber, isMadeOfWords, looksRandom } from '../values/value-shape.ts';
import type { CredentialSpan } from './credential-span.ts';

/** Shorter values may be part of ordinary text, such as `admin1` and `debug2`. */
const MIN_LENGTH = 7;
/** Longer values, such as private keys, are recognized on their own anywhere. */
const MAX_LENGTH = 2000;
/** From this length on, a random-looking value is also replaced inside a longer word. */
const MIN_LENGTH_INSIDE = 16;
/**
 * The number of characters in the rolling hash: a position is compared only with the values whose last characters have the same
 * hash.
 */
const ANCHOR_LENGTH = 6;
/**
 * The maximum total length of the values with the same hash, which limits the comparisons per position; only crafted text exceeds
 * it.
 */
const MAX_LENGTH_PER_ANCHOR = 1500;
const HASH_FACTOR = 31;
const LEAVING_FACTOR = (HASH_FACTOR ** (ANCHOR_LENGTH - 1)) | 0;

interface Value {
  readonly text: string;
  readonly ruleId: string;
  readonly isFoundInside: boolean;
}

/**
 * Finds the other occurrences of recognized values, in one pass over the text. `covered` is `found`, merged; it is not searched.
 */
export function findRepeats(
  text: string,
  found: readonly CredentialSpan[],
  covered: readonly CredentialSpan[],
): CredentialSpan[] {
  const valuesByAnchor = indexValues(text, found);
  const repeats: CredentialSpan[] = [];
  if (valuesByAnchor.size === 0) return repeats;
  let hash = 0;
  let nextCovered = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (index >= ANCHOR_LENGTH)
      hash = (hash - Math.imul(text.charCodeAt(index - ANCHOR_LENGTH), LEAVING_FACTOR)) | 0;
    hash = (Math.imul(hash, HASH_FACTOR) + text.charCodeAt(index)) | 0;
    const values = valuesByAnchor.get(hash);
    if (values === undefined) continue;
    while ((covered[nextCovered]?.end ?? text.length) <= index) nextCovered += 1;
    if ((covered[nextCovered]?.start ?? text.length) <= index) continue;
    for (const value of values) {
      const start = index + 1 - value.text.length;
      if (start < 0 || !text.startsWith(value.text, start)) continue;
      if (value.isFoundInside || isWholeWord(text, start, index + 1))
        repeats.push({ start, end: index + 1, ruleId: value.ruleId });
    }
  }
  return repeats;
}

function indexValues(text: string, found: readonly CredentialSpan[]): Map<number, Value[]> {
  const valuesByAnchor = new Map<number, Value[]>();
  const seen = new Set<string>();
  for (const { start, end, ruleId } of found) {
    if (end - start < MIN_LENGTH || end - start > MAX_LENGTH) continue;
    const value = text.slice(start, end);
    if (seen.has(value)) continue;
    seen.add(value);
    if (!isSpecific(value)) continue;
    const anchor = hashOf(value.slice(-ANCHOR_LENGTH));
    const sharing = valuesByAnchor.get(anchor);
    const isFoundInside = value.length >= MIN_LENGTH_INSIDE && looksRandom(value, MIN_LENGTH_INSIDE);
    if (sharing === undefined) valuesByAnchor.set(anchor, [{ text: value, ruleId, isFoundInside }]);
    else if (lengthOf(sharing) < MAX_LENGTH_PER_ANCHOR) sharing.push({ text: value, ruleId, isFoundInside });
  }
  return valuesByAnchor;
}

/**
 * Whether a value is specific enough to be replaced everywhere. Words and numbers are passwords only where they are assigned as
 * one.
 */
function isSpecific(value: string): boolean {
  if (value.includes(REDACTION_MARKER)) return false;
  if (/^(?:[A-Za-z]+|[0-9.,:-]+)$/.test(value))
    return looksRandom(value, MIN_LENGTH_INSIDE) || isLongNumber(value);
  return /[0-9]/.test(value) || !(isMadeOfWords(value) || isDottedName(value));
}

function lengthOf(values: readonly Value[]): number {
  return values.reduce((sum, { text }) => sum + text.length, 0);
}

function isWholeWord(text: string, start: number, end: number): boolean {
  return !isAlphanumeric(text.charCodeAt(start - 1)) && !isAlphanumeric(text.charCodeAt(end));
}

function hashOf(anchor: string): number {
  let hash = 0;
  for (let index = 0; index < anchor.length; index += 1)
    hash = (Math.imul(hash, HASH_FACTOR) + anchor.charCodeAt(index)) | 0;
  return hash;
}
