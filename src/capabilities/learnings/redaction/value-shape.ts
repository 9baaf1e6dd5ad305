import { isMostlyWords, statisticsOf } from './character-statistics.ts';

/** Tells whether the text has next to no content of its own, such as `xxxxxxxx`, `0000-0000` or `********`. */
export function isFiller(value: string): boolean {
  const { length, different, most } = statisticsOf(value);
  return different < (length < 20 ? 4 : 5) || most > length * 0.6;
}

/** Tells whether the value mixes letters and digits as only chance does: long, varied and not made of words. */
export function looksRandom(value: string, minimumLength = 10, minimumEntropy = 3): boolean {
  if (value.length < minimumLength) return false;
  const { length, different, most, digits, letters, entropy } = statisticsOf(value);
  if (different < 5 || most > length * 0.6 || letters === 0) return false;
  if (entropy < minimumEntropy && !(entropy >= 2.5 && HEX_VALUE.test(value))) return false;
  return (digits > 0 || hasRandomCase(value)) && !isMadeOfWords(value);
}

/** Tells whether most of the value is words: an identifier, a host, a path or a phrase, not chance. */
export function isMadeOfWords(value: string): boolean {
  return isMostlyWords(value, 0.75, 3.4) || WORDS_AND_NUMBERS.test(value);
}

/** Tells whether the value is a name with dots or dashes, as code has it: `_ref2.itemDataKey`. */
export function isDottedName(value: string): boolean {
  return /^[A-Za-z_$][\w$]*(?:[.-][A-Za-z_$][\w$]*)+$/.test(value) && isMostlyWords(value, 0.6, 2.4);
}

/** Tells whether the value holds a UUID or has the length of a common digest in hexadecimal digits. */
export function isIdentifierOrDigest(value: string): boolean {
  return (
    HOLDS_UUID.test(value) || (HEX_VALUE.test(value) && [32, 40, 56, 64, 96, 128].includes(value.length))
  );
}

/** Words in one case or in camel case, and numbers: `web-01`, `event_bus_2024`, `jackson-0.11.2`. */
const WORD_OR_NUMBER =
  '(?:(?:[A-Z]{1,15}|[A-Z]?[a-z]{1,20}|[A-Z]?[a-z]{3,20}(?:[A-Z][a-z]{2,20}){1,2})[0-9]{0,5}|[0-9]{1,20})';
const WORDS_AND_NUMBERS = new RegExp(`^${WORD_OR_NUMBER}(?:[-_.:/]${WORD_OR_NUMBER}){1,20}$`);
const HOLDS_UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
const HEX_VALUE = /^[0-9a-f]{1,128}$/i;
/** Letters alone are random when capitals stand where no word would have them. */
function hasRandomCase(value: string): boolean {
  if (value.length < 16 || !/^[A-Za-z+/=_-]+$/.test(value)) return false;
  const words = value.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  return value.length / words.length < 2.6;
}

/** Tells whether the value has digits, small letters and capitals, as tokens without a telling prefix do. */
export function hasAllKinds(value: string): boolean {
  return /[0-9]/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && !isFiller(value);
}

/** Tells whether the value has a digit and is no filler, as nearly every token is, but no word. */
export function hasDigits(value: string): boolean {
  return /[0-9]/.test(value) && !isFiller(value);
}
