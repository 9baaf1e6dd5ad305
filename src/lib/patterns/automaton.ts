import { type CharacterSet, type PatternNode, UnsupportedPattern } from './pattern-syntax.ts';

/** More than any reasonable pattern has. Bounds the expansion of counts such as `{1,9999}`. */
const maxStates = 20_000;

export type Direction = 1 | -1;
export type Position = Extract<PatternNode, { kind: 'position' }>['at'];

/** The kinds of states. They are numbers, because arrays of numbers are faster than objects. */
export const end = 0;
export const literal = 1;
export const oneOf = 2;
export const split = 3;
export const looking = 4;
export const positioned = 5;

/** A set of characters as ranges, with a lookup table for ASCII. */
export interface CharacterTest extends CharacterSet {
  readonly ascii: Uint8Array;
}

/**
 * A lookahead or lookbehind. A short one, which reads a few characters, is tried wherever it is needed. Any other is matched
 * against its direction, from each position where it could end: one pass finds all positions where it holds.
 */
export interface Look {
  readonly index: number;
  readonly automaton: Automaton;
  readonly isNegated: boolean;
  readonly isShort: boolean;
}

/**
 * The states of a pattern, as arrays indexed by their number, and working memory: so a pattern cannot be matched twice at
 * once.
 */
export interface Automaton {
  readonly direction: Direction;
  readonly start: number;
  readonly kinds: Uint8Array;
  readonly next: Int32Array;
  /** By kind: the character, or the index of the set, look or position; for a split, its second target. */
  readonly detail: Int32Array;
  readonly sets: readonly CharacterTest[];
  readonly looks: readonly Look[];
  readonly positions: readonly Position[];
  /** The step in which each state was last entered. */
  readonly entered: Float64Array;
  readonly pending: Int32Array;
  readonly reading: [Int32Array, Int32Array];
  readonly clock: { step: number };
}

export function has({ ranges, isNegated }: CharacterSet, code: number): boolean {
  for (const [from, to] of ranges) if (code >= from && code <= to) return !isNegated;
  return isNegated;
}

/** The only character of a set; undefined if it has none or several. */
export function onlyCharacter({ ranges, isNegated }: CharacterSet): number | undefined {
  const [only, other] = ranges;
  return !isNegated && only !== undefined && other === undefined && only[0] === only[1] ? only[0] : undefined;
}

function withTable(set: CharacterSet): CharacterTest {
  const ascii = new Uint8Array(128).fill(Number(set.isNegated));
  for (const [from, to] of set.ranges) ascii.fill(Number(!set.isNegated), from, to + 1);
  return { ...set, ascii };
}

/**
 * Whether it reads a few characters at most. A look inside a look never counts as short: it would be tried at every position
 * of the outer one.
 */
function isShortLook(part: PatternNode): boolean {
  if (part.kind === 'sequence') return part.parts.every(isShortLook);
  if (part.kind === 'choice') return part.options.every(isShortLook);
  if (part.kind === 'repetition') return part.max <= 2 && isShortLook(part.part);
  return part.kind !== 'look';
}

/** Builds the automaton from its end to its start. `count` includes all looks of the whole pattern. */
export function buildAutomaton(
  root: PatternNode,
  direction: Direction,
  count = { states: 0, looks: 0 },
): Automaton {
  const kinds: number[] = [];
  const nexts: number[] = [];
  const details: number[] = [];
  const sets: CharacterTest[] = [];
  const looks: Look[] = [];
  const positions: Position[] = [];

  function add(kind: number, next: number, detail: number): number {
    count.states += 1;
    if (count.states > maxStates) throw new UnsupportedPattern('is too long');
    nexts.push(next);
    details.push(detail);
    return kinds.push(kind) - 1;
  }

  function place(node: PatternNode, next: number): number {
    switch (node.kind) {
      case 'character': {
        const only = onlyCharacter(node);
        if (only !== undefined) return add(literal, next, only);
        return add(oneOf, next, sets.push(withTable(node)) - 1);
      }
      case 'sequence': {
        const parts = direction === 1 ? node.parts.toReversed() : node.parts;
        return parts.reduce((after, part) => place(part, after), next);
      }
      case 'choice':
        return node.options
          .map((option) => place(option, next))
          .reduceRight((others, option) => add(split, option, others));
      case 'position':
        return add(positioned, next, positions.push(node.at) - 1);
      case 'look': {
        const { part, isBehind, isNegated } = node;
        const isShort = isShortLook(part);
        const automaton = buildAutomaton(part, isBehind === isShort ? -1 : 1, count);
        return add(looking, next, looks.push({ index: count.looks++, automaton, isNegated, isShort }) - 1);
      }
      case 'repetition':
        return repeat(node, next);
    }
  }

  function repeat({ part, min, max }: Extract<PatternNode, { kind: 'repetition' }>, next: number): number {
    if (max === Infinity) {
      const loop = add(split, -1, next);
      const again = place(part, loop);
      nexts[loop] = again;
      return copies(part, min - 1, min === 0 ? loop : again);
    }
    let after = next;
    for (let copy = min; copy < max; copy += 1) after = add(split, place(part, after), next);
    return copies(part, min, after);
  }

  function copies(part: PatternNode, number: number, next: number): number {
    let after = next;
    for (let copy = 0; copy < number; copy += 1) after = place(part, after);
    return after;
  }

  const start = place(root, add(end, -1, -1));
  const { length } = kinds;
  return {
    direction,
    start,
    kinds: Uint8Array.from(kinds),
    next: Int32Array.from(nexts),
    detail: Int32Array.from(details),
    sets,
    looks,
    positions,
    entered: new Float64Array(length),
    pending: new Int32Array(length),
    reading: [new Int32Array(length), new Int32Array(length)],
    clock: { step: 0 },
  };
}
