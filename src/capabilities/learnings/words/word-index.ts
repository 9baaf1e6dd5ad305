import { codeWords } from './code-words.ts';
import { Vocabulary } from './vocabulary.ts';

/** How quickly repeated occurrences of a word count less, and how much long texts are penalized (BM25 k1 and b). */
const SATURATION = 1.5;
const LENGTH_WEIGHT = 0.9;
const INITIAL_WORDS = 4096;
const MAX_OCCURRENCES = 255;
/** A query may be a whole file; at most this many of its distinct words are used. */
const MAX_QUERY_WORDS = 512;

/**
 * The words of the texts of one repository, for BM25. Texts are identified by small numbers ("slots"). Their words are in
 * one array, which a search scans: 100,000 texts take a few milliseconds, nothing needs updating when a text is deleted,
 * and rarity is counted among exactly those texts that the caller may see.
 */
export class WordIndex {
  readonly #vocabulary = new Vocabulary();
  /** Per word: the position at which it was written last. */
  #lastAt = new Uint32Array(INITIAL_WORDS);
  /** Per slot: where its words start, how many distinct ones there are, and the length of the text in words. */
  readonly #starts: number[] = [];
  readonly #counts: number[] = [];
  readonly #lengths: number[] = [];
  #words = new Uint32Array(INITIAL_WORDS);
  #occurrences = new Uint8Array(INITIAL_WORDS);
  #used = 0;
  #live = 0;

  /** Sets the words of a slot to those of a text. */
  set(slot: number, text: string): void {
    this.delete(slot);
    const words = this.#vocabulary.read(text);
    this.#makeRoomFor(words.length);
    this.#makeRoomForVocabulary();
    const start = this.#used;
    for (const id of words) {
      // The position at which the word was written last shows whether this text has it already.
      const at = this.#lastAt[id]!;
      if (at >= start && at < this.#used && this.#words[at] === id) {
        if (this.#occurrences[at]! < MAX_OCCURRENCES) this.#occurrences[at]! += 1;
        continue;
      }
      this.#words[this.#used] = id;
      this.#occurrences[this.#used] = 1;
      this.#lastAt[id] = this.#used;
      this.#used += 1;
    }
    this.#starts[slot] = start;
    this.#counts[slot] = this.#used - start;
    this.#lengths[slot] = words.length;
    this.#live += this.#used - start;
  }

  delete(slot: number): void {
    this.#live -= this.#counts[slot] ?? 0;
    this.#counts[slot] = 0;
  }

  /** How well each of the given texts matches the words of the query, by position; zero for those without a match. */
  scores(query: string, slots: Uint32Array): Float64Array {
    const scores = new Float64Array(slots.length);
    const wanted = this.#queryWords(query);
    if (wanted.length === 0) return scores;
    const indexOfWord = new Uint16Array(this.#vocabulary.size);
    for (const [wordIndex, id] of wanted.entries()) indexOfWord[id] = wordIndex + 1;

    const textsWithWord = new Float64Array(wanted.length);
    const hits = new HitList();
    const words = this.#words;
    let length = 0;
    for (let position = 0; position < slots.length; position += 1) {
      const slot = slots[position]!;
      length += this.#lengths[slot]!;
      const start = this.#starts[slot]!;
      const end = start + this.#counts[slot]!;
      for (let at = start; at < end; at += 1) {
        const wordIndex = indexOfWord[words[at]!]!;
        if (wordIndex === 0) continue;
        textsWithWord[wordIndex - 1]! += 1;
        hits.add(position, wordIndex - 1, at);
      }
    }
    const average = length / slots.length;
    const rarity = textsWithWord.map((count) => Math.log(1 + (slots.length - count + 0.5) / (count + 0.5)));
    hits.forEach((position, wordIndex, at) => {
      const count = this.#occurrences[at]!;
      const relative = this.#lengths[slots[position]!]! / average;
      const weight = count / (count + SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * relative));
      scores[position]! += rarity[wordIndex]! * weight * (SATURATION + 1);
    });
    return scores;
  }

  /** The words of the query that occur in any text, the most frequent first if there are too many. */
  #queryWords(query: string): number[] {
    const wanted = new Map<number, number>();
    for (const word of codeWords(query)) {
      const id = this.#vocabulary.numberOf(word);
      if (id !== undefined) wanted.set(id, (wanted.get(id) ?? 0) + 1);
    }
    if (wanted.size <= MAX_QUERY_WORDS) return [...wanted.keys()];
    const byCount = [...wanted].sort((a, b) => b[1] - a[1]);
    return byCount.slice(0, MAX_QUERY_WORDS).map(([id]) => id);
  }

  #makeRoomForVocabulary(): void {
    if (this.#vocabulary.size <= this.#lastAt.length) return;
    const longer = new Uint32Array(2 * this.#vocabulary.size);
    longer.set(this.#lastAt);
    this.#lastAt = longer;
  }

  /** Grows the arrays, and removes the words of replaced and deleted texts on the way. */
  #makeRoomFor(count: number): void {
    if (this.#used + count <= this.#words.length) return;
    const room = Math.max(INITIAL_WORDS, (this.#live + count) * 2);
    const words = new Uint32Array(room);
    const occurrences = new Uint8Array(room);
    let next = 0;
    for (const [slot, own] of this.#counts.entries()) {
      const start = this.#starts[slot]!;
      words.set(this.#words.subarray(start, start + own), next);
      occurrences.set(this.#occurrences.subarray(start, start + own), next);
      this.#starts[slot] = next;
      next += own;
    }
    this.#words = words;
    this.#occurrences = occurrences;
    this.#used = next;
  }
}

/** Which text (by position) has which word of the query, and where; a common word has very many entries. */
class HitList {
  #numbers = new Uint32Array(3 * 1024);
  #used = 0;

  add(position: number, wordIndex: number, at: number): void {
    if (this.#used === this.#numbers.length) {
      const longer = new Uint32Array(2 * this.#used);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.#used] = position;
    this.#numbers[this.#used + 1] = wordIndex;
    this.#numbers[this.#used + 2] = at;
    this.#used += 3;
  }

  forEach(use: (position: number, wordIndex: number, at: number) => void): void {
    const numbers = this.#numbers;
    for (let hit = 0; hit < this.#used; hit += 3) use(numbers[hit]!, numbers[hit + 1]!, numbers[hit + 2]!);
  }
}
