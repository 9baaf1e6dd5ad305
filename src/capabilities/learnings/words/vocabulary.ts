import { codeWords, runAt } from './code-words.ts';
import { PlainWords } from './plain-words.ts';

const INITIAL_WORDS = 256;
const INITIAL_BYTES = 4096;
const encoder = new TextEncoder();

/** Numbers for the words of many texts, counted from zero. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #plainWords = new PlainWords((word) => {
    const [own] = codeWords(word);
    return own === undefined ? undefined : this.#add(own);
  });
  #bytes = new Uint8Array(INITIAL_BYTES);
  #found = new Uint32Array(INITIAL_WORDS);
  #count = 0;

  get size(): number {
    return this.#numbers.size;
  }

  /** The number of a word; undefined if no text that was read has it. */
  numberOf(word: string): number | undefined {
    return this.#numbers.get(word);
  }

  /**
   * The numbers of `codeWords(text)`, valid until the next call. Loading a repository reads millions of words, nearly all
   * of which are plain words that were read before: those are recognized in place, without a string or a regular expression.
   */
  read(text: string): Uint32Array {
    this.#count = 0;
    if (this.#bytes.length < text.length) this.#bytes = new Uint8Array(2 * text.length);
    const { read, written } = encoder.encodeInto(text, this.#bytes);
    const isAscii = read === text.length && written === text.length;
    if (isAscii) this.#readAscii(text);
    else this.#readSlowly(text);
    return this.#found.subarray(0, this.#count);
  }

  #readAscii(text: string): void {
    const plain = this.#plainWords;
    const bytes = this.#bytes.subarray(0, text.length);
    for (let at = plain.nextName(bytes, 0); at < bytes.length; at = plain.nextName(bytes, at)) {
      const number = plain.read(bytes, at);
      if (number === PlainWords.OTHER) {
        const run = runAt(text, at);
        this.#readSlowly(run);
        at += run.length;
      } else {
        if (number !== PlainWords.DROPPED) this.#push(number);
        at = plain.end;
      }
    }
  }

  #readSlowly(text: string): void {
    for (const word of codeWords(text)) this.#push(this.#add(word));
  }

  #push(number: number): void {
    if (this.#count === this.#found.length) {
      const longer = new Uint32Array(2 * this.#count);
      longer.set(this.#found);
      this.#found = longer;
    }
    this.#found[this.#count] = number;
    this.#count += 1;
  }

  #add(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(word, number);
    return number;
  }
}
