import { codeWords } from './code-words.ts';

/** How fast another occurrence of a word counts less, and how much long texts are held against short ones. */
const SATURATION = 1.5;
const LENGTH_WEIGHT = 0.9;
const INITIAL_WORDS = 4096;
const MOST_OCCURRENCES = 255;
/** A question may be a whole file; so many of its different words are looked at. */
const MOST_QUERY_WORDS = 512;

/**
 * The words of the texts of one repository, for BM25. Texts are known by small numbers ("slots"). Their words lie one
 * after the other in one array, which a search runs through: 100,000 texts take a few milliseconds, nothing must be
 * kept in step when a text goes, and rarity is counted among exactly those texts that the caller may see.
 */
export class WordIndex {
  readonly #vocabulary = new Map<string, number>();
  /** Per word: where it was written last. */
  #lastAt = new Uint32Array(INITIAL_WORDS);
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
    this.#makeRoomFor(words.length);
    const start = this.#used;
    for (const word of words) {
      const id = this.#idOf(word);
      // Where the word was written last tells whether this text has it already.
      const at = this.#lastAt[id]!;
      if (at >= start && at < this.#used && this.#words[at] === id) {
        if (this.#occurrences[at]! < MOST_OCCURRENCES) this.#occurrences[at]! += 1;
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

  /** How well each of the given texts has the words of the question, by position; zero for those that have none. */
  scores(query: string, slots: Uint32Array): Float64Array {
    const scores = new Float64Array(slots.length);
    const asked = this.#askedWords(query);
    if (asked.length === 0) return scores;
    const placeOf = new Uint16Array(this.#vocabulary.size);
    for (const [place, id] of asked.entries()) placeOf[id] = place + 1;

    const having = new Float64Array(asked.length);
    const hits = new HitList();
    const words = this.#words;
    let length = 0;
    for (let position = 0; position < slots.length; position += 1) {
      const slot = slots[position]!;
      length += this.#lengths[slot]!;
      const start = this.#starts[slot]!;
      const end = start + this.#counts[slot]!;
      for (let at = start; at < end; at += 1) {
        const place = placeOf[words[at]!]!;
        if (place === 0) continue;
        having[place - 1]! += 1;
        hits.add(position, place - 1, at);
      }
    }
    const average = length / slots.length;
    const rarity = having.map((count) => Math.log(1 + (slots.length - count + 0.5) / (count + 0.5)));
    hits.forEach((position, place, at) => {
      const count = this.#occurrences[at]!;
      const relative = this.#lengths[slots[position]!]! / average;
      const weight = count / (count + SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * relative));
      scores[position]! += rarity[place]! * weight * (SATURATION + 1);
    });
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
    if (id === this.#lastAt.length) {
      const longer = new Uint32Array(2 * id);
      longer.set(this.#lastAt);
      this.#lastAt = longer;
    }
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

/** Which text (by position) has which word of the question, and where; a common word has very many. */
class HitList {
  #numbers = new Uint32Array(3 * 1024);
  #used = 0;

  add(position: number, place: number, at: number): void {
    if (this.#used === this.#numbers.length) {
      const longer = new Uint32Array(2 * this.#used);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.#used] = position;
    this.#numbers[this.#used + 1] = place;
    this.#numbers[this.#used + 2] = at;
    this.#used += 3;
  }

  forEach(use: (position: number, place: number, at: number) => void): void {
    const numbers = this.#numbers;
    for (let hit = 0; hit < this.#used; hit += 3) use(numbers[hit]!, numbers[hit + 1]!, numbers[hit + 2]!);
  }
}
