import { AppError } from '../app-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses JSON text that must be UTF-8. `what` begins the sentence of the error. */
export function parseJson(bytes: Buffer, what = 'The body'): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new AppError('INVALID_REQUEST', `${what} is not valid JSON in UTF-8`);
  }
}

/** The limits on the size of JSON. */
export interface JsonLimits {
  readonly maxDepth: number;
  /** Entries of all arrays and objects together. */
  readonly maxEntries: number;
}

const quote = 0x22;
const backslash = 0x5c;
/** The meaning of a byte outside of strings: 1 starts a string, 2 separates entries, 3 opens an array or object, 4 closes one. */
const meanings = new Uint8Array(256);
for (const [meaning, bytes] of [[], ['"'], [','], ['[', '{'], [']', '}']].entries())
  for (const byte of bytes) meanings[byte.charCodeAt(0)] = meaning;

const maxScannedBytes = 64;

function isEscaped(bytes: Buffer, at: number): boolean {
  let start = at;
  while (bytes[start - 1] === backslash) start -= 1;
  return (at - start) % 2 === 1;
}

/** The end of the string that starts here. A native search is only faster for long strings. */
function endOfString(bytes: Buffer, start: number): number {
  const { length } = bytes;
  let at = start + 1;
  for (;;) {
    const stop = Math.min(at + maxScannedBytes, length);
    while (at < stop && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
    if (at < stop) return at;
    const found = bytes.indexOf(quote, at);
    if (found === -1) return length;
    if (!isEscaped(bytes, found)) return found;
    at = found + 1;
  }
}

/**
 * Throws INVALID_REQUEST for JSON that exceeds the limits. It only scans the bytes: parsing a megabyte of empty arrays takes a
 * hundred times as long, and blocks all other requests.
 */
export function checkJsonSize(bytes: Buffer, { maxDepth, maxEntries }: JsonLimits, what = 'the body'): void {
  const { length } = bytes;
  let depth = 0;
  let entries = 0;
  for (let at = 0; at < length; at += 1) {
    const meaning = meanings[bytes[at]!];
    if (meaning === 0) continue;
    if (meaning === 1) at = endOfString(bytes, at);
    else if (meaning === 4) depth -= 1;
    else {
      entries += 1;
      if (meaning === 3) depth += 1;
      if (depth > maxDepth)
        throw new AppError('INVALID_REQUEST', `${what} is nested more than ${maxDepth} levels deep`);
      if (entries > maxEntries)
        throw new AppError('INVALID_REQUEST', `${what} has more than ${maxEntries} entries`);
    }
  }
}
