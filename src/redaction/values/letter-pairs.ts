/**
 * How much likelier each pair of letters is in a name in code than in a token, in quarters of a bit from -24 (`0`) to 24 (`m`),
 * counted in the names and words of this repository. Rows are the first letter of the pair, columns the second: `a` to `z`, a
 * digit, the gap between two words.
 */
const PAIRS = `
  3OST0IP0O2GURU0Q0VTYMDCJK12H
  VCE7Y77NPM0WD6W80ONES210U08M
  T0L8X00WM0TSB0ZD0QHVN4E0D03G
  RB6OZ0E0U53FG1NF0KO5J900K01W
  RCQUHJC2B30NMUANJWWQ7MKOH00R
  T0C5RP70c00Q26X20OEPN000F09P
  Q650b0JOS00HAQN60RSTO000080S
  XG2AZ004T00A96X86MJON050A03T
  IHPSSKO0008TOaUJ1MUV2M0G0L09
  Q007Y448H0G470Y400e4QFE0004D
  N48HcJA3U03F1RF516WFK060510T
  V56OZB00W08U55T901NRQF10K00Q
  ZQEHb020U22JRHSS00PBI000603M
  R8QVTGW0P3HD9KQE2BTWHH10B00R
  HHNQ5OI0K6MQRYNP0XSPSMSC600H
  Y36FW4GDN05U87WO0VMRS100J00O
  35337000300U00350E93h370003I
  R5KLa7N0T0JJKKU90MSROJ20P00P
  L0M7W40OR0FH94QKB3PXM7HCF00V
  T5J8Y98TV00F94SC0PULI085L00T
  KOLPWFJ0N00WQXDP0VWUA4060328
  X100e160a00032L20080B06010AG
  U059Y01PV06B0WU00RQ800B6000S
  O0R9T819P00ED39V08Ba1017J0DU
  JCC6I430E00GKNFT01SQ10D46D0Y
  d096bB60P06CB0O066B9G066FJAN
  NKKJKL5D585A504442055C0A2AUU
  SOTPPRLMRHJQQOQTEUVTMIM96630
`
  .trim()
  .split(/\s+/)
  .join('');

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const WIDTH = 28;
const DIGIT = 26;
const GAP = 27;
const EVEN = 24;
const BITS_PER_STEP = 1 / 4;

/**
 * The minimum average of the pairs, in bits, for a name. One in a thousand tokens of 12 characters reaches it, of 16 hardly any.
 */
const LEAST_BITS = 0.2;

const MANY_PIECES = 20;
/** The minimum length of a token after a word. */
const TOKEN_LENGTH = 16;

/** Only the start of a long value is read, which is enough. */
const READ_LENGTH = 160;

const steps = Int8Array.from(PAIRS, (digit) => DIGITS.indexOf(digit) - EVEN);

/**
 * Whether the value reads like words or a name in code (`v3-certs`, `ServerBootstrap2`) rather than random text: its letters
 * follow each other as in names. False for numbers and hexadecimal digits only.
 */
export function readsLikeName(value: string): boolean {
  if (/^(?:[0-9A-F]+|[0-9a-f]+)$/.test(value) || !/[A-Za-z]{2}/.test(value)) return false;
  let sum = 0;
  let pairs = 0;
  let previous = GAP;
  const read = (symbol: number): void => {
    if (symbol === GAP && previous === GAP) return;
    sum += steps[previous * WIDTH + symbol] as number;
    pairs += 1;
    previous = symbol;
  };
  const length = Math.min(value.length, READ_LENGTH);
  for (let index = 0; index < length; index += 1) {
    if (startsWord(value, index)) read(GAP);
    read(symbolAt(value, index));
  }
  read(GAP);
  return pairs >= 4 && sum * BITS_PER_STEP > pairs * LEAST_BITS;
}

/**
 * Whether the value is words and other short pieces joined by dashes, dots or the like, as in the id `say_hello-8dfe6dff`. A long
 * piece after a word is a token with its prefix: `sk_live_…`.
 */
export function isJoinedFromWords(value: string): boolean {
  const pieces = value.split(/[-_./]+/, MANY_PIECES);
  return (
    pieces.length > 1 &&
    pieces.every((piece) => piece.length < TOKEN_LENGTH) &&
    pieces.some((piece) => /^[A-Z]?[a-z]{2,20}$/.test(piece) && readsLikeName(piece))
  );
}

/**
 * An upper-case letter starts a word after a lower-case letter or a digit. After another upper-case letter, it does so only
 * before a lower-case one.
 */
function startsWord(value: string, index: number): boolean {
  if (index === 0 || !isCapital(value, index) || symbolAt(value, index - 1) === GAP) return false;
  const next = value.charCodeAt(index + 1);
  return !isCapital(value, index - 1) || (next >= 97 && next <= 122);
}

function isCapital(value: string, index: number): boolean {
  const code = value.charCodeAt(index);
  return code >= 65 && code <= 90;
}

function symbolAt(value: string, index: number): number {
  const code = value.charCodeAt(index);
  if (code >= 97 && code <= 122) return code - 97;
  if (code >= 65 && code <= 90) return code - 65;
  return code >= 48 && code <= 57 ? DIGIT : GAP;
}
