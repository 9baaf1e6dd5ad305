import { isMostlyWords, statisticsOf } from './character-statistics.ts';

/** Whether the text is filler, such as `xxxxxxxx`, `0000-0000` or `********`. */
export function isFiller(value: string): boolean {
  const { length, different, highestCount } = statisticsOf(value);
  return different < (length < 20 ? 4 : 5) || highestCount > length * 0.6;
}

/** Whether the value mixes letters and digits like random text: long, varied and not made of words. */
export function looksRandom(value: string, minimumLength = 10, minimumEntropy = 3): boolean {
  if (value.length < minimumLength) return false;
  const { length, different, highestCount, digits, letters, entropy } = statisticsOf(value);
  if (different < 5 || highestCount > length * 0.6 || letters === 0) return false;
  const isHex = HEX_VALUE.test(value);
  if (entropy < minimumEntropy && !(entropy >= 2.5 && isHex) && !isTyped(value)) return false;
  // A hexadecimal value of this length is not a word, even if parts of it could be.
  if (isHex && length >= 24) return true;
  return (digits > 0 || hasRandomCase(value)) && !isMadeOfWords(value);
}

/** Whether the value was typed at random on a keyboard: few different characters, but digits again and again. */
function isTyped(value: string): boolean {
  return value.length >= 24 && /^[a-z0-9]+$/i.test(value) && (value.match(/[0-9]+/g) ?? []).length >= 8;
}

/** Whether most of the value is words: an identifier, a host, a path or a phrase, not random text. */
export function isMadeOfWords(value: string): boolean {
  return isMostlyWords(value, 0.75, 3.4) || WORDS_AND_NUMBERS.test(value);
}

/** Whether the value is a name in code with dots or dashes: `_ref2.itemDataKey`. */
export function isDottedName(value: string): boolean {
  return /^[A-Za-z_$][\w$]*(?:[.-][A-Za-z_$][\w$]*)+$/.test(value) && isMostlyWords(value, 0.6, 2.4);
}

/** Whether the value is a name in code: `privRSAKeyPem`, `guest?.meetingPassword`, `*x509.Certificate`. */
export function isCodeName(value: string): boolean {
  if (CONSTANT_NAME.test(value) || PACKAGE_NAME.test(value) || LONG_WORDS.test(value)) return true;
  if (MEMBER_NAME.test(value)) return isMostlyWords(value, 0.6, 2.4);
  if (!/^[*&]{0,2}[A-Za-z_$][\w$]{3,100}$/.test(value) || !/[a-z][0-9]{0,6}[A-Z]/.test(value)) return false;
  const spelt = value.replaceAll(WORD_WITH_DIGITS, 'Name');
  if (spelt !== value) return isCodeName(spelt);
  const digitRuns = (value.match(/[0-9]+/g) ?? []).length;
  const parts = value.match(/[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])|[0-9]{1,6}/g) ?? [];
  const inParts = parts.reduce((sum, part) => sum + part.length, 0);
  if (digitRuns > 2 || parts.length < 3 || inParts < value.length * 0.8) return false;
  if (!parts.every((part) => part.length <= 14)) return false;
  const words = parts.filter((part) => !/[0-9]/.test(part));
  const average = words.join('').length / words.length;
  // Random text contains short runs that could be words, too, but not the words that are common in code.
  const known = words.filter((word) => CODE_WORD.test(word)).join('').length;
  if (known > 0 && average >= 3 && (known >= value.length * 0.4 || isMostlyWords(value, 0.5, 2.7)))
    return true;
  return value.length <= 30 && average >= 4 && digitRuns < 2 && isMostlyWords(value, 0.7, 3);
}

const CODE_WORD =
  /^(?:keys?|tokens?|secrets?|pass|passwords?|pwd|credentials?|auth|access|cert|certificate|pem|priv|private|pub|public|client|user|test|mock|node|hash|sign|signing|encryption|decryption|crypto|cipher|system|type|name|data|config|session|charge|total|dns|stack)$/i;

/** Words in code that contain digits. */
const WORD_WITH_DIGITS =
  /[iI]18n(?:ext)?|[lL]10n|[aA]11y|[kK]8s|[eE]2[eE]|[fF]ido2|[oO]auth2|(?<=[a-z])V[0-9]{1,2}(?![0-9a-z])/g;

/** Whether the value is a member of something, whatever its name: `ed25519.Ed25519PublicKey`. */
export function isMemberName(value: string): boolean {
  return (
    MEMBER_NAME.test(value) && !value.startsWith('eyJ') && value.split('.').every((part) => part.length <= 40)
  );
}

/** Matches `JWEConstants.A256CBC_HS512`, `HTTP3_TOKEN_STATUS`. */
const CONSTANT_NAME =
  /^(?:[A-Z][A-Z]{0,20}[a-z]{2,20}[A-Za-z0-9]{0,40}\.[A-Z][A-Z0-9_]{2,40}|[A-Z][A-Z0-9]{1,20}(?:_{1,2}(?:[A-Z0-9]{2,20}|0x[0-9A-F]{2})){2,8})$/;
/** Matches `resource1Algorithms`, `X509Certificate2`. Random text hardly contains words of this length. */
const LONG_WORDS =
  /^[A-Z]?[a-z]{4,20}[0-9]{0,2}(?:[A-Z][a-z]{4,20}[0-9]{0,2}){1,5}$|^X509[A-Z][a-z]{3,20}[0-9]?$/;
/** Matches `org.example.asn1.PrivateKey`. */
const PACKAGE_NAME = /^(?:[a-z][a-z0-9_]{1,15}\.){2,8}[A-Za-z_]\w{1,40}$/;
const MEMBER_NAME =
  /^[*&!]{0,2}[A-Za-z_$][\w$]{0,100}(?:(?:\.|\?\.|::|->|!\.)[A-Za-z_$][\w$]{0,100}){1,20}!?$/;

/** Whether the value contains a UUID, or is hexadecimal with the length of a common digest. */
export function isIdentifierOrDigest(value: string): boolean {
  return (
    HOLDS_UUID.test(value) ||
    NAMED_DIGEST.test(value) ||
    (HEX_VALUE.test(value) && [32, 40, 56, 64, 96, 128].includes(value.length))
  );
}

/** Words in one case or in camel case, and numbers: `web-01`, `event_bus_2024`, `jackson-0.11.2`. */
const WORD_OR_NUMBER =
  '(?:(?:[A-Z]{1,15}|[A-Z]?[a-z]{1,20}|[A-Z]?[a-z]{3,20}(?:[A-Z][a-z]{2,20}){1,2})[0-9]{0,5}|[0-9]{1,20}|[0-9]{1,4}(?:hr|min|ms|px|r?em|kb|mb|gb|st|nd|rd|th)|[a-z][0-9]{1,2}[a-z])';
const WORDS_AND_NUMBERS = new RegExp(
  `^${WORD_OR_NUMBER}(?:(?:[-_.:/]|__)${WORD_OR_NUMBER}){1,20}[-_.:/!?]?$`,
);
/** Cache keys: `linux-npm-lock-d2047be60a27`. */
const NAMED_DIGEST = /^[a-z]{1,20}(?:[-/.][a-z]{0,20}){1,6}[-/.][0-9a-f]{7,64}$/i;
export const HOLDS_UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
const HEX_VALUE = /^[0-9a-f]{1,128}$/i;
/** Whether a value without digits is random, judging by upper-case letters where no word would have them. */
function hasRandomCase(value: string): boolean {
  if (value.length < 16 || !/^[A-Za-z+/=_-]+$/.test(value)) return false;
  const words = value.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  return value.length / words.length < 2.6;
}

/** Whether the value is a number longer than any time, size or count in a program. */
export function isLongNumber(value: string): boolean {
  return /^[0-9]{20,100}$/.test(value);
}

/** Whether the value is letters only, in an order that no word has, such as `qwertzuiopasdfgh`. */
export function isScrambled(value: string): boolean {
  return /^[A-Za-z]{20,200}$/.test(value) && !isFiller(value) && !isMostlyWords(value, 0.4, 3);
}

/** Whether the value is grouped like license keys: `F1A2-NEI8-HY44-PZK7`. */
export function isGrouped(value: string): boolean {
  if (!/^[A-Za-z0-9]{3,12}(?:-[A-Za-z0-9]{3,12}){2,7}$/.test(value) || isFiller(value)) return false;
  const groups = value.split('-');
  return groups.filter((group) => /[0-9]/.test(group)).length >= groups.length / 2;
}

/** Whether much of the value is letters outside ASCII: some languages write sentences without spaces. */
export function isForeignText(value: string): boolean {
  const foreign = (value.match(/[\u0080-\uffff]/g) ?? []).length;
  // Words with accents contain no digits, and only text contains the punctuation of Chinese and Japanese.
  return (
    foreign > value.length * (/[0-9]/.test(value) ? 0.3 : 0) ||
    /[\u2018-\u201f\u3000-\u303f\uff00-\uffef]/.test(value)
  );
}

/** Whether the body of a token is a placeholder: `xxxx`, `0000-0000`, `****`, `your_key`. */
export function isPlaceholderBody(value: string): boolean {
  if (/^(?:your|placeholder|example|insert|replace|change|random)/i.test(value)) return !/[0-9]/.test(value);
  return isFiller(value) && /^[xX0*._-]{0,4}(?:[xX]{2}|0{2}|[*._-]{2})|[xX]{8}/.test(value);
}

/** Whether the value has digits, lower-case and upper-case letters, like tokens without a distinctive prefix. */
export function hasAllKinds(value: string): boolean {
  return /[0-9]/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && !isFiller(value);
}

/** Whether the value has a digit and is not filler, which is true of nearly every token but of no word. */
export function hasDigits(value: string): boolean {
  return /[0-9]/.test(value) && !isFiller(value);
}
