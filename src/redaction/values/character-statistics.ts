/** Character statistics of a value. */
interface Statistics {
  readonly length: number;
  readonly different: number;
  /** How often the most frequent character occurs. */
  readonly highestCount: number;
  readonly digits: number;
  readonly letters: number;
  /** Shannon entropy, in bits per character. */
  readonly entropy: number;
}

/** Only the start of a long value is counted, which is enough. */
const COUNTED_LENGTH = 160;
const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

const kindOf = new Uint8Array(128);
for (let code = 97; code <= 122; code += 1) kindOf[code] = LOWER;
for (let code = 65; code <= 90; code += 1) kindOf[code] = UPPER;
for (let code = 48; code <= 57; code += 1) kindOf[code] = DIGIT;
const isVowel = new Uint8Array(128);
for (const vowel of 'aeiouAEIOU') isVowel[vowel.charCodeAt(0)] = 1;
const weightOf = Float64Array.from(
  { length: COUNTED_LENGTH + 1 },
  (_, count) => count * Math.log2(count || 1),
);

/** How often each character code occurs in the current value. */
const counts = new Uint16Array(128);

/** Counts the characters of the value. */
export function statisticsOf(value: string): Statistics {
  const length = Math.min(value.length, COUNTED_LENGTH);
  let different = 0;
  let highestCount = 0;
  let digits = 0;
  let letters = 0;
  counts.fill(0);
  for (let index = 0; index < length; index += 1) {
    const slot = value.charCodeAt(index) & 127;
    const count = (counts[slot] as number) + 1;
    counts[slot] = count;
    if (count === 1) different += 1;
    if (count > highestCount) highestCount = count;
    const kind = kindOf[slot] as number;
    if (kind === DIGIT) digits += 1;
    else if (kind !== OTHER) letters += 1;
  }
  let weight = 0;
  for (let slot = 0; slot < 128; slot += 1) weight += weightOf[counts[slot] as number] as number;
  const entropy = length === 0 ? 0 : Math.log2(length) - weight / length;
  return { length, different, highestCount, digits, letters, entropy };
}

/**
 * Whether at least this share of the letters and digits is in runs that could be words, and the runs are at least this long
 * on average. Random text contains such runs, too, but short ones, with other runs in between.
 */
export function isMostlyWords(value: string, share: number, averageLength: number): boolean {
  let inWords = 0;
  let total = 0;
  let runs = 0;
  for (let start = 0, end = 0; start < value.length; start = end) {
    const kind = kindAt(value, start);
    end = endOfRun(value, start, kind);
    if (kind === OTHER) continue;
    runs += 1;
    total += end - start;
    if (kind !== DIGIT && isPronounceable(value, start, end)) inWords += end - start;
  }
  return inWords >= total * share && total >= runs * averageLength;
}

/** A run is digits, upper-case letters, or lower-case letters, perhaps after one upper-case letter. */
function endOfRun(value: string, start: number, kind: number): number {
  const tail = kind === UPPER && kindAt(value, start + 1) === LOWER ? LOWER : kind;
  let end = start + 1;
  while (end < value.length && kindAt(value, end) === tail) end += 1;
  return end;
}

/** A word has enough vowels, and never many consonants in a row. */
function isPronounceable(value: string, start: number, end: number): boolean {
  let vowels = 0;
  let consonants = 0;
  for (let index = start; index < end; index += 1) {
    if (isVowel[value.charCodeAt(index)] === 1) {
      vowels += 1;
      consonants = 0;
    } else {
      consonants += 1;
      if (consonants > 3) return false;
    }
  }
  return end - start >= 3 && vowels >= (end - start) * 0.2;
}

function kindAt(value: string, index: number): number {
  const code = value.charCodeAt(index);
  return code < 128 ? (kindOf[code] as number) : OTHER;
}
