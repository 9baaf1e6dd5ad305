import { codeWords } from './code-words.ts';

/** How fast another occurrence of a word counts less, and how much long texts are held against short ones. */
const SATURATION = 1.5;
const LENGTH_WEIGHT = 0.9;
const INITIAL_WORDS = 4096;
/** A question may be a whole file; so many of its different words are looked at. */
const MOST_QUERY_WORDS = 512;

/**
 * The words of the texts of one repository, for BM25. Texts are known by small numbers ("slots"). Their words lie one
 * after the other in one array, which a search runs through: 100,000 texts take a few milliseconds, nothing must be
 * kept in step when a text goes, and rarity is counted among exactly those texts that the caller may see.
 */
export class WordIndex {
  readonly #vocabulary = new Map<string, number>();
  /** Per slot: where its words begin, how many different ones there are, and the length of the text in words. */
  readonly #starts: number[] = [];
  readonly #counts: number[] = [];
  readonly #lengths: number[] = [];
  #words = new Uint32Array(INITIAL_WORDS);
  #occurrences = new Uint8Array(INITIAL_WORDS);
  #used = 0;
  #live = 0;

  /** Puts in the words of a text in place of those the slot had. */
  set(slot: number, text: string): void {
    this.delete(slot);
    const words = codeWords(text);
    const occurrences = new Map<number, number>();
    for (const word of words) {
      const id = this.#idOf(word);
      occurrences.set(id, (occurrences.get(id) ?? 0) + 1);
    }
    this.#makeRoomFor(occurrences.size);
    this.#starts[slot] = this.#used;
    this.#counts[slot] = occurrences.size;
    this.#lengths[slot] = words.length;
    for (const [id, count] of occurrences) {
      this.#words[this.#used] = id;
      this.#occurrences[this.#used] = Math.min(count, 255);
      this.#used += 1;
    }
    this.#live += occurrences.size;
  }

  delete(slot: number): void {
    this.#live -= this.#counts[slot] ?? 0;
    this.#counts[slot] = 0;
  }

  /** How well each of the given texts has the words of the question, by position; zero for those that have none. */
  scores(query: string, slots: readonly number[]): Float64Array {
    const scores = new Float64Array(slots.length);
    const asked = this.#askedWords(query);
    if (asked.length === 0) return scores;
    const placeOf = new Uint16Array(this.#vocabulary.size);
    for (const [place, id] of asked.entries()) placeOf[id] = place + 1;

    const having = new Float64Array(asked.length);
    const hits: number[] = [];
    let words = 0;
    for (const [position, slot] of slots.entries()) {
      const end = this.#starts[slot]! + this.#counts[slot]!;
      words += this.#lengths[slot]!;
      for (let at = this.#starts[slot]!; at < end; at += 1) {
        const place = placeOf[this.#words[at]!]!;
        if (place === 0) continue;
        having[place - 1]! += 1;
        hits.push(position, place - 1, this.#occurrences[at]!);
      }
    }
    const average = words / slots.length;
    const rarity = having.map((count) => Math.log(1 + (slots.length - count + 0.5) / (count + 0.5)));
    for (let hit = 0; hit < hits.length; hit += 3) {
      const position = hits[hit]!;
      const count = hits[hit + 2]!;
      const length = this.#lengths[slots[position]!]! / average;
      const weight = count / (count + SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length));
      scores[position]! += rarity[hits[hit + 1]!]! * weight * (SATURATION + 1);
    }
    return scores;
  }

  /** The words of the question that any text has, the most frequent first if there are too many. */
  #askedWords(query: string): number[] {
    const asked = new Map<number, number>();
    for (const word of codeWords(query)) {
      const id = this.#vocabulary.get(word);
      if (id !== undefined) asked.set(id, (asked.get(id) ?? 0) + 1);
    }
    if (asked.size <= MOST_QUERY_WORDS) return [...asked.keys()];
    const byCount = [...asked].sort((a, b) => b[1] - a[1]);
    return byCount.slice(0, MOST_QUERY_WORDS).map(([id]) => id);
  }

  #idOf(word: string): number {
    const known = this.#vocabulary.get(word);
    if (known !== undefined) return known;
    const id = this.#vocabulary.size;
    this.#vocabulary.set(word, id);
    return id;
  }

  /** Grows the arrays; what replaced and deleted texts left behind goes in passing. */
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
