import { REDACTION_MARKER, type Rule } from './rule.ts';
import { isPlaceholderBody } from './values/value-shape.ts';

/** Alphabets of the formats, as regular expression sources. */
export const BASE62 = '[A-Za-z0-9]';
export const BASE64 = '[A-Za-z0-9+/]';
export const BASE64_URL = '[\\w-]';
export const HEX = '[0-9a-f]';
export const HEX_ANY_CASE = '[0-9A-Fa-f]';
export const LOWER = '[a-z0-9]';
export const UPPER = '[A-Z0-9]';
export const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

const FILLER_STEP = 50;
const BASE64_RUN = /[A-Za-z0-9+/]{0,5000}/y;
const WORD_RUN = /[\w-]{0,5000}/y;

interface TokenOptions {
  /** The token may start in the middle of a word: only for prefixes that no word contains. */
  readonly anywhere?: boolean;
  readonly ignoreCase?: boolean;
  /** The part of the token before the keyword: its regular expression source and its exact length. */
  readonly lead?: readonly [source: string, length: number];
  /** The token starts with this many digits, right before the keyword. */
  readonly leadingDigits?: readonly [minimum: number, maximum: number];
  /** Characters that never precede the token: the alphabet of larger values that may contain its prefix. */
  readonly notWithin?: RegExp;
  /** The prefix tells the purpose of the secret and is kept; only the part after it is replaced. */
  readonly keepPrefix?: boolean;
  /** Replaces the default check that the part after the prefix is not a placeholder, such as `xxxx`. */
  readonly check?: (body: string) => boolean;
}

/**
 * Creates the rule for a token format: a fixed prefix and a body in which every repetition is bounded.
 * The bounds exceed the documented length, so that no tail of a longer token is left behind.
 */
export function token(
  id: string,
  prefix: string | readonly string[],
  body: string,
  options: TokenOptions = {},
): Rule {
  const prefixes = typeof prefix === 'string' ? [prefix] : prefix;
  const [leadSource, leadLength] = options.lead ?? ['', 0];
  const source = `${leadSource}(?:${prefixes.map(escapeSource).join('|')})${body}`;
  const pattern = new RegExp(source, options.ignoreCase ? 'iy' : 'y');
  const isLong = /\{[0-9]+,[0-9]{4,}\}/.test(body);
  const run = body.includes('+/') ? BASE64_RUN : WORD_RUN;
  const bodyBefore = body.includes('+/') ? /[+/]/ : /\./;
  const check = options.check ?? ((value: string) => !isPlaceholderBody(value));
  return {
    id,
    keywords: prefixes,
    find(scan, start, end) {
      const { text } = scan;
      let begin = start - leadLength;
      if (options.leadingDigits) {
        const digits = countDigitsBefore(text, start, options.leadingDigits[1] + 1);
        if (digits < options.leadingDigits[0] || digits > options.leadingDigits[1]) return;
        begin = start - digits;
      }
      if (begin < 0 || !(options.anywhere || startsToken(text, begin))) return;
      if (isInWrappedText(text, begin)) return;
      if (options.notWithin?.test(text[begin - 1] ?? '')) return;
      // A long body must be read only once, not again from every prefix inside it.
      if (isLong && begin > 0 && (bodyBefore.test(text[begin - 1] as string) || !startsToken(text, begin)))
        return;
      if (scan.isDone(id, start)) return;
      pattern.lastIndex = options.leadingDigits ? start : begin;
      const found = pattern.exec(text);
      if (found === null) {
        // If it is too short from here, it is too short from every later prefix of the same run.
        if (isLong && prefixes.includes(text.slice(start, end))) scan.markDone(id, endOfRun(run, text, end));
        return;
      }
      const secretEnd = pattern.lastIndex;
      const isSecret = check(text.slice(end, secretEnd) || text.slice(begin, start));
      // The next token may follow without a gap, so that its prefix looks like the end of this one, or after filler.
      scan.markDone(id, Math.min(secretEnd - (end - start), isSecret ? secretEnd : end + FILLER_STEP));
      if (isSecret) scan.report(options.keepPrefix ? end : begin, secretEnd);
    },
  };
}

/**
 * Whether a token may start here: not within a word, unless that "word" is an escape sequence. Text right after the marker was
 * attached to a credential, so it also counts as within a word; otherwise redacting twice would find more.
 */
export function startsToken(text: string, index: number): boolean {
  if (index === 0) return true;
  if (!isAlphanumeric(text.charCodeAt(index - 1))) return !followsMarker(text, index);
  if (text[index - 2] === '\\') return 'nrt'.includes(text[index - 1] as string);
  if (text[index - 3] === '%' || text[index - 4] === '\\' || text[index - 6] === '\\') {
    return ESCAPE_BEFORE.test(text.slice(Math.max(0, index - 6), index));
  }
  return false;
}

/**
 * Whether the previous line and this one are 60 to 76 characters of base64: a signature or an image that happens to contain a
 * prefix.
 */
function isInWrappedText(text: string, index: number): boolean {
  if (text[index - 1] !== '\n' || !isBase64(text.charCodeAt(index - 2))) return false;
  WRAPPED_LINE.lastIndex = index;
  if (!WRAPPED_LINE.test(text)) return false;
  const before = index - 1 - (WRAPPED_LINE.lastIndex - index);
  if (before < 0 || (before > 0 && text[before - 1] !== '\n')) return false;
  return !/[^A-Za-z0-9+/]/.test(text.slice(before, index - 1));
}

const WRAPPED_LINE = /[A-Za-z0-9+/]{60,76}(?=\n)/y;

function isBase64(code: number): boolean {
  return isAlphanumeric(code) || code === 43 || code === 47;
}

function followsMarker(text: string, index: number): boolean {
  return text[index - 1] === ']' && text.startsWith(REDACTION_MARKER, index - REDACTION_MARKER.length);
}

const ESCAPE_BEFORE = /(?:(?:%|\\x)[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4})$/;

function endOfRun(run: RegExp, text: string, from: number): number {
  run.lastIndex = from;
  run.test(text);
  return run.lastIndex;
}

/** Whether the character code is an ASCII letter or digit. */
export function isAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}

function countDigitsBefore(text: string, index: number, limit: number): number {
  let count = 0;
  while (count < limit && index > count) {
    const code = text.charCodeAt(index - 1 - count);
    if (code < 48 || code > 57) break;
    count += 1;
  }
  return count;
}

function escapeSource(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
