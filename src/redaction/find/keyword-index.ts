import type { Rule } from '../rule.ts';

/** Called for every rule whose keyword ends at a position of the text, in text order. */
export type Visit = (rule: Rule, start: number, end: number) => void;

interface Hit {
  readonly length: number;
  readonly rules: Rule[];
}

const ASCII = 128;

/**
 * Finds all keywords of all rules in one pass over the text (Aho-Corasick), so that the cost depends only on the length of
 * the text and not on the number of rules. Matching is case-insensitive.
 */
export class KeywordIndex {
  readonly #classOf = new Uint8Array(ASCII);
  readonly #width: number;
  readonly #next: Uint16Array;
  readonly #hits: (readonly Hit[] | undefined)[];

  constructor(rules: readonly Rule[]) {
    const rulesByKeyword = new Map<string, Rule[]>();
    for (const rule of rules) {
      for (const keyword of rule.keywords) {
        const sharing = rulesByKeyword.get(keyword.toLowerCase());
        if (sharing) sharing.push(rule);
        else rulesByKeyword.set(keyword.toLowerCase(), [rule]);
      }
    }
    this.#width = this.#numberCharacters(rulesByKeyword.keys());
    const trie = new Trie(this.#width);
    for (const [keyword, sharing] of rulesByKeyword) {
      const classes = Array.from(keyword, (character) => this.#classOf[character.charCodeAt(0)] ?? 0);
      trie.insert(classes, { length: keyword.length, rules: sharing });
    }
    this.#next = trie.close();
    this.#hits = trie.hits;
  }

  /** Scans the text once and reports each keyword found. */
  visit(text: string, report: Visit): void {
    const next = this.#next;
    const classOf = this.#classOf;
    const hits = this.#hits;
    const width = this.#width;
    let state = 0;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      state = code < ASCII ? (next[state * width + (classOf[code] as number)] as number) : 0;
      const found = hits[state];
      if (found === undefined) continue;
      for (const { length, rules } of found) {
        for (const rule of rules) report(rule, index + 1 - length, index + 1);
      }
    }
  }

  /** Gives each character that occurs in a keyword its own number; all others share number 0. */
  #numberCharacters(keywords: Iterable<string>): number {
    let used = 1;
    for (const keyword of keywords) {
      for (const character of keyword) {
        const code = character.charCodeAt(0);
        if (code >= ASCII) throw new Error(`keyword ${keyword} is not ASCII`);
        if (this.#classOf[code] !== 0) continue;
        this.#classOf[code] = used;
        this.#classOf[character.toUpperCase().charCodeAt(0)] = used;
        used += 1;
      }
    }
    return used;
  }
}

/** The tree of keywords, closed to an automaton by following the longest proper suffix on a mismatch. */
class Trie {
  readonly hits: (Hit[] | undefined)[] = [undefined];
  readonly #width: number;
  readonly #edges: number[][];

  constructor(width: number) {
    this.#width = width;
    this.#edges = [new Array<number>(width).fill(0)];
  }

  insert(classes: readonly number[], hit: Hit): void {
    let state = 0;
    for (const symbol of classes) {
      const row = this.#edges[state] as number[];
      if (row[symbol] === 0) {
        row[symbol] = this.#edges.length;
        this.#edges.push(new Array<number>(this.#width).fill(0));
        this.hits.push(undefined);
      }
      state = row[symbol] as number;
    }
    this.hits[state] = [hit];
  }

  close(): Uint16Array {
    const suffix = new Array<number>(this.#edges.length).fill(0);
    const queue = (this.#edges[0] as number[]).filter((state) => state !== 0);
    for (const state of queue) {
      const fallback = this.#edges[suffix[state] as number] as number[];
      const inherited = this.hits[suffix[state] as number];
      if (inherited) this.hits[state] = [...(this.hits[state] ?? []), ...inherited];
      const row = this.#edges[state] as number[];
      for (let symbol = 0; symbol < this.#width; symbol += 1) {
        const child = row[symbol] as number;
        if (child === 0) {
          row[symbol] = fallback[symbol] as number;
        } else {
          suffix[child] = fallback[symbol] as number;
          queue.push(child);
        }
      }
    }
    if (this.#edges.length > 0xffff) throw new Error('too many keywords for 16-bit states');
    return Uint16Array.from(this.#edges.flat());
  }
}
