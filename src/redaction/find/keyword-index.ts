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
    const characters = [...rulesByKeyword.keys()].reduce((sum, keyword) => sum + keyword.length, 0);
    const trie = new Trie(this.#width, characters + 1);
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

/** The trie of the keywords. It becomes an automaton by falling back to the longest proper suffix on a mismatch. */
class Trie {
  readonly hits: (Hit[] | undefined)[] = [undefined];
  readonly #width: number;
  /** For every state, a row with the next state for every class of characters. */
  readonly #next: Uint16Array;
  /** For every state its children in the trie, and for every state the class that leads to it. */
  readonly #children: number[][] = [[]];
  readonly #symbols: number[] = [0];

  constructor(width: number, maxStates: number) {
    if (maxStates > 0xffff) throw new Error('too many keywords for 16-bit states');
    this.#width = width;
    this.#next = new Uint16Array(maxStates * width);
  }

  insert(classes: readonly number[], hit: Hit): void {
    let state = 0;
    for (const symbol of classes) {
      const edge = state * this.#width + symbol;
      if (this.#next[edge] === 0) {
        this.#next[edge] = this.hits.length;
        this.#children[state]!.push(this.hits.length);
        this.#children.push([]);
        this.#symbols.push(symbol);
        this.hits.push(undefined);
      }
      state = this.#next[edge]!;
    }
    this.hits[state] = [hit];
  }

  close(): Uint16Array {
    const next = this.#next;
    const width = this.#width;
    const suffix = new Uint16Array(this.hits.length);
    const queue = [...this.#children[0]!];
    for (const state of queue) {
      const row = state * width;
      const fallback = suffix[state]! * width;
      const inherited = this.hits[suffix[state]!];
      if (inherited) this.hits[state] = [...(this.hits[state] ?? []), ...inherited];
      // Copies whole rows, because filling them one by one takes longer than a short command runs.
      next.copyWithin(row, fallback, fallback + width);
      for (const child of this.#children[state]!) {
        const symbol = this.#symbols[child]!;
        suffix[child] = next[fallback + symbol]!;
        next[row + symbol] = child;
        queue.push(child);
      }
    }
    return next.slice(0, this.hits.length * width);
  }
}
