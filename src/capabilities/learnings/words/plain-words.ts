const INITIAL_ENTRIES = 1024;
/** Kinds of ASCII characters: those of names, and those that may join two names to one run. */
const LOWER = 1;
const UPPER = 2;
const OTHER_NAME = 3;
const JOINER = 4;
const CASE_BIT = 0x20;

const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  if (/[0-9_$]/.test(character)) return OTHER_NAME;
  return /[.\-/:#@]/.test(character) ? JOINER : 0;
});

/**
 * A lookup table from plain words (`word` or `Word`, not joined to others) to their numbers, read in place from the
 * characters of a text.
 */
export class PlainWords {
  /** No plain word starts here. */
  static readonly OTHER = -1;
  /** A plain word without a number, such as a stop word. */
  static readonly DROPPED = -2;

  readonly #meaningOf: (word: string) => number | undefined;
  /** A hash table with open addressing: entries counted from one, zero where there is none. */
  #table = new Uint32Array(2 * INITIAL_ENTRIES);
  #hashes = new Int32Array(INITIAL_ENTRIES);
  #meanings = new Int32Array(INITIAL_ENTRIES);
  /** Where the characters of an entry start; they end where those of the next one start. */
  #starts = new Uint32Array(INITIAL_ENTRIES + 1);
  #characters = new Uint8Array(8 * INITIAL_ENTRIES);
  #count = 0;
  /** Where the most recently read word ends. */
  end = 0;

  /** `meaningOf` maps a word in lower case to its number; it is called once per word. */
  constructor(meaningOf: (word: string) => number | undefined) {
    this.#meaningOf = meaningOf;
  }

  /** Where the next name in an ASCII text starts, from a position on; the length of the text if there is none. */
  nextName(text: Uint8Array, from: number): number {
    let at = from;
    while (at < text.length && !isName(kinds[text[at]!]!)) at += 1;
    return at;
  }

  /** The number of the plain word at the start of a name in an ASCII text. */
  read(text: Uint8Array, start: number): number {
    const first = text[start]!;
    let hash = first | CASE_BIT;
    let at = start + 1;
    while (at < text.length) {
      const code = text[at]!;
      if (kinds[code] !== LOWER) break;
      hash = Math.imul(hash ^ code, 0x01000193);
      at += 1;
    }
    const isPlain = kinds[first] === LOWER || (kinds[first] === UPPER && at > start + 1);
    if (!isPlain || goesOn(text, at)) return PlainWords.OTHER;
    this.end = at;
    return this.#find(text, start, hash ^ (hash >>> 15));
  }

  #find(text: Uint8Array, start: number, hash: number): number {
    const mask = this.#table.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const entry = this.#table[place]! - 1;
      if (entry === -1) break;
      if (this.#hashes[entry] === hash && this.#isAt(entry, text, start)) return this.#meanings[entry]!;
    }
    const word = String.fromCharCode(...text.subarray(start, this.end)).toLowerCase();
    const meaning = this.#meaningOf(word) ?? PlainWords.DROPPED;
    this.#store(word, hash, meaning);
    return meaning;
  }

  #isAt(entry: number, text: Uint8Array, start: number): boolean {
    const from = this.#starts[entry]!;
    const length = this.#starts[entry + 1]! - from;
    if (length !== this.end - start) return false;
    // All are letters; only the first may be a capital.
    if (this.#characters[from] !== (text[start]! | CASE_BIT)) return false;
    for (let index = 1; index < length; index += 1) {
      if (this.#characters[from + index] !== text[start + index]) return false;
    }
    return true;
  }

  #store(word: string, hash: number, meaning: number): void {
    if (this.#count === this.#hashes.length) this.#grow();
    const from = this.#starts[this.#count]!;
    const end = from + word.length;
    if (end > this.#characters.length) {
      const more = new Uint8Array(2 * end);
      more.set(this.#characters);
      this.#characters = more;
    }
    for (let index = 0; index < word.length; index += 1)
      this.#characters[from + index] = word.charCodeAt(index);
    this.#hashes[this.#count] = hash;
    this.#meanings[this.#count] = meaning;
    this.#starts[this.#count + 1] = end;
    this.#count += 1;
    this.#enter(hash, this.#count);
  }

  #grow(): void {
    const entries = 2 * this.#count;
    const [hashes, meanings, starts] = [
      new Int32Array(entries),
      new Int32Array(entries),
      new Uint32Array(entries + 1),
    ];
    hashes.set(this.#hashes);
    meanings.set(this.#meanings);
    starts.set(this.#starts);
    [this.#hashes, this.#meanings, this.#starts] = [hashes, meanings, starts];
    this.#table = new Uint32Array(2 * entries);
    for (let entry = 0; entry < this.#count; entry += 1) this.#enter(hashes[entry]!, entry + 1);
  }

  #enter(hash: number, entry: number): void {
    const mask = this.#table.length - 1;
    let place = hash & mask;
    while (this.#table[place] !== 0) place = (place + 1) & mask;
    this.#table[place] = entry;
  }
}

function isName(kind: number): boolean {
  return kind !== 0 && kind !== JOINER;
}

/**
 * Whether a name continues here or could be joined to another. In doubt true, which only means that the slower path is used.
 */
function goesOn(text: Uint8Array, at: number): boolean {
  if (at === text.length) return false;
  const kind = kinds[text[at]!]!;
  if (kind !== JOINER) return kind !== 0;
  return at + 1 < text.length && !isSpace(text[at + 1]!);
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
