import {
  type Automaton,
  buildAutomaton,
  end,
  has,
  type Look,
  literal,
  looking,
  oneOf,
  onlyCharacter,
  type Position,
  split,
} from './automaton.ts';
import { type PatternNode, parsePattern } from './pattern-syntax.ts';

/** The text being matched, and intermediate results. */
interface Match {
  readonly text: string;
  /** For each look that is not short: by position, whether its pattern matches there. */
  readonly looks: Uint8Array[];
}

const isWord = (character: string | undefined) => character !== undefined && /\w/.test(character);

function isAt({ text }: Match, at: Position, place: number): boolean {
  if (at === 'start') return place === 0;
  if (at === 'end') return place === text.length;
  return (isWord(text[place - 1]) !== isWord(text[place])) === (at === 'edge of word');
}

function holds(match: Match, { index, automaton, isNegated, isShort }: Look, place: number): boolean {
  if (isShort) return run(match, automaton, place, false) !== isNegated;
  let matching = match.looks[index];
  if (matching === undefined) {
    matching = new Uint8Array(match.text.length + 1);
    match.looks[index] = matching;
    run(match, automaton, automaton.direction === 1 ? 0 : match.text.length, true, matching);
  }
  return (matching[place] === 1) !== isNegated;
}

/**
 * Reads the text once, in all states at the same time, so that the time is at most proportional to the length of the pattern
 * times that of the text. Starts at a position or, if floating, at every position from there. With `matching`, all end
 * positions of matches are marked; otherwise the first match is enough.
 */
function run(
  match: Match,
  automaton: Automaton,
  from: number,
  isFloating: boolean,
  matching?: Uint8Array,
): boolean {
  const { direction, start, kinds, next, detail, entered, pending, clock } = automaton;
  const { text } = match;
  let [reading, upcoming] = automaton.reading;
  let count = 0;
  let step = 0;
  let waiting = 0;
  function enter(state: number): void {
    if (entered[state] === step) return;
    entered[state] = step;
    pending[waiting++] = state;
  }
  for (let place = from; ; place += direction) {
    clock.step += 1;
    step = clock.step;
    waiting = 0;
    if (place !== from) {
      const code = text.charCodeAt(direction === 1 ? place - 1 : place);
      for (let index = 0; index < count; index += 1) {
        const state = reading[index]!;
        if (kinds[state] === literal) {
          if (detail[state] === code) enter(next[state]!);
        } else {
          const set = automaton.sets[detail[state]!]!;
          if (code < 128 ? set.ascii[code] === 1 : has(set, code)) enter(next[state]!);
        }
      }
    }
    if (isFloating || place === from) enter(start);
    count = 0;
    let isEnd = false;
    while (waiting > 0) {
      const state = pending[--waiting]!;
      const kind = kinds[state]!;
      if (kind === literal || kind === oneOf) upcoming[count++] = state;
      else if (kind === split) {
        enter(next[state]!);
        enter(detail[state]!);
      } else if (kind === end) isEnd = true;
      else if (
        kind === looking
          ? holds(match, automaton.looks[detail[state]!]!, place)
          : isAt(match, automaton.positions[detail[state]!]!, place)
      )
        enter(next[state]!);
    }
    if (isEnd && matching === undefined) return true;
    if (isEnd) matching![place] = 1;
    if (count === 0 && !isFloating) return false;
    if (place === (direction === 1 ? text.length : 0)) return false;
    [reading, upcoming] = [upcoming, reading];
  }
}

/** The parts that must match one after the other. */
function partsOf(node: PatternNode): readonly PatternNode[] {
  return node.kind === 'sequence' ? node.parts.flatMap(partsOf) : [node];
}

/** The longest text that every match contains. */
function requiredText(parts: readonly PatternNode[]): string {
  let longest = '';
  let current = '';
  for (const part of parts) {
    const code = part.kind === 'character' ? onlyCharacter(part) : undefined;
    current = code === undefined ? '' : current + String.fromCharCode(code);
    if (current.length > longest.length) longest = current;
  }
  return longest;
}

/** The fixed text at the beginning of these parts. */
function leadingText(parts: readonly PatternNode[]): string {
  const end = parts.findIndex((part) => part.kind !== 'character' || onlyCharacter(part) === undefined);
  return requiredText(end === -1 ? parts : parts.slice(0, end));
}

/** A pattern that was compiled for matching. */
export interface LinearPattern {
  readonly test: (text: string) => boolean;
  /** Its number of states. The time to match a text is at most proportional to this times the length of the text. */
  readonly states: number;
}

/**
 * Matches a regular expression in linear time, for untrusted patterns: same results as a `RegExp` without flags, which can
 * take years for a short text. Throws `UnsupportedPattern` where that is impossible, as for references to groups.
 */
export function linearPattern(source: string): LinearPattern {
  const root = parsePattern(new RegExp(source).source);
  const count = { states: 0, looks: 0 };
  const automaton = buildAutomaton(root, 1, count);
  const parts = partsOf(root);
  const [first, ...others] = parts;
  const isAnchored = first?.kind === 'position' && first.at === 'start';
  const required = requiredText(parts);
  const leading = isAnchored ? leadingText(others) : '';
  const test = (text: string) =>
    text.startsWith(leading) &&
    text.includes(required) &&
    run({ text, looks: [] }, automaton, 0, !isAnchored);
  return { test, states: count.states };
}

/** Compiles a pattern and returns only its test. */
export const linearTest = (source: string): LinearPattern['test'] => linearPattern(source).test;
