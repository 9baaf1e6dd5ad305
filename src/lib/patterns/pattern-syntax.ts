/** One character, as ranges of UTF-16 code units. */
export interface CharacterSet {
  readonly kind: 'character';
  readonly ranges: readonly (readonly [from: number, to: number])[];
  readonly isNegated: boolean;
}

/**
 * The syntax tree of a regular expression. It ignores whether a quantifier is lazy, which does not affect whether there is a
 * match.
 */
export type PatternNode =
  | CharacterSet
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repetition'; readonly part: PatternNode; readonly min: number; readonly max: number }
  | {
      readonly kind: 'look';
      readonly part: PatternNode;
      readonly isBehind: boolean;
      readonly isNegated: boolean;
    }
  | {
      readonly kind: 'position';
      readonly at: 'start' | 'end' | 'edge of word' | 'inside or outside of word';
    };

/** The pattern is valid, but cannot be matched in linear time. */
export class UnsupportedPattern extends Error {
  override readonly name = 'UnsupportedPattern';
}

type Ranges = CharacterSet['ranges'];

const codeOf = (character: string) => character.charCodeAt(0);
const range = (from: string, to = from) => [codeOf(from), codeOf(to)] as const;
const digits: Ranges = [range('0', '9')];
const wordCharacters: Ranges = [range('0', '9'), range('A', 'Z'), range('_'), range('a', 'z')];
const lineEnds: Ranges = [range('\n'), range('\r'), range('\u2028', '\u2029')];
const spaces: Ranges = [
  range('\t', '\r'),
  range(' '),
  range('\u00a0'),
  range('\u1680'),
  range('\u2000', '\u200a'),
  range('\u2028', '\u2029'),
  range('\u202f'),
  range('\u205f'),
  range('\u3000'),
  range('\ufeff'),
];
const controls: Readonly<Record<string, string>> = { f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const classes: Readonly<Record<string, Ranges>> = { d: digits, w: wordCharacters, s: spaces };

const character = (code: number): CharacterSet => ({
  kind: 'character',
  ranges: [[code, code]],
  isNegated: false,
});

/** The complement of the ranges, as ranges. */
function complementOf(ranges: Ranges): Ranges {
  const free: [number, number][] = [];
  let next = 0;
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    if (from > next) free.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= 0xffff) free.push([next, 0xffff]);
  return free;
}

/**
 * Parses the source of a `RegExp` without flags. The constructor has accepted it already, so invalid syntax need not be
 * detected.
 */
export function parsePattern(source: string): PatternNode {
  const groups = [
    ...source.replaceAll(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]/g, '').matchAll(/\((?!\?)|\(\?<(?![=!])/g),
  ];
  const hasNames = groups.some(([opening]) => opening !== '(');
  let at = 0;

  /** Matches a sticky expression at the current position, and advances on success. */
  const take = (expression: RegExp): RegExpExecArray | null => {
    expression.lastIndex = at;
    const found = expression.exec(source);
    if (found !== null) at = expression.lastIndex;
    return found;
  };

  function parseChoice(): PatternNode {
    const options = [parseSequence()];
    while (take(/\|/y)) options.push(parseSequence());
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  function parseSequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(parseTerm());
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
  }

  function parseTerm(): PatternNode {
    const part = parseAtom();
    if (!'*+?{'.includes(source[at] ?? ' ')) return part;
    const quantifier = take(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y);
    if (quantifier === null) return part;
    const [, sign, least, comma, most] = quantifier;
    const min = least === undefined ? Number(sign === '+') : Number(least);
    if (sign !== undefined) return { kind: 'repetition', part, min, max: sign === '?' ? 1 : Infinity };
    if (comma === undefined) return { kind: 'repetition', part, min, max: min };
    return { kind: 'repetition', part, min, max: most === '' ? Infinity : Number(most) };
  }

  function parseAtom(): PatternNode {
    // Fast path: most characters are literal.
    if (!'^$\\.[('.includes(source[at]!)) return character(codeOf(source[at++]!));
    if (take(/\^/y)) return { kind: 'position', at: 'start' };
    if (take(/\$/y)) return { kind: 'position', at: 'end' };
    if (take(/\\b/y)) return { kind: 'position', at: 'edge of word' };
    if (take(/\\B/y)) return { kind: 'position', at: 'inside or outside of word' };
    if (take(/\./y)) return { kind: 'character', ranges: lineEnds, isNegated: true };
    if (take(/\[/y)) return parseClass();
    const look = take(/\(\?(<?)([=!])/y);
    if (look !== null)
      return { kind: 'look', isBehind: look[1] === '<', isNegated: look[2] === '!', part: parseRest() };
    if (take(/\((?:\?:|\?<[^>]*>|(?!\?))/y)) return parseRest();
    if (source[at] === '(') throw new UnsupportedPattern('must not change how a group is matched: (?i:…)');
    return parseCharacter();
  }

  /** Parses the inside of a group and its closing parenthesis. */
  function parseRest(): PatternNode {
    const inside = parseChoice();
    take(/\)/y);
    return inside;
  }

  function parseCharacter(): CharacterSet {
    const reference = take(/\\([1-9]\d*)/y);
    if (reference !== null && Number(reference[1]) > groups.length) at -= reference[0].length;
    else if (reference !== null || (hasNames && take(/\\k/y)))
      throw new UnsupportedPattern('must not refer back to a group');
    const set = parseEscapedSet();
    return set === undefined
      ? character(parseCode(false))
      : { kind: 'character', ranges: set, isNegated: false };
  }

  function parseEscapedSet(): Ranges | undefined {
    const [, letter] = take(/\\([dDwWsS])/y) ?? [];
    if (letter === undefined) return undefined;
    const ranges = classes[letter.toLowerCase()]!;
    return letter === letter.toLowerCase() ? ranges : complementOf(ranges);
  }

  /** Parses one character, escaped or not. */
  function parseCode(isInClass: boolean): number {
    const [, hex2, hex4] = take(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4}))/y) ?? [];
    if (hex2 !== undefined || hex4 !== undefined) return Number.parseInt(hex2 ?? hex4!, 16);
    const [, octal] = take(/\\([0-3][0-7]{0,2}|[4-7][0-7]?)/y) ?? [];
    if (octal !== undefined) return Number.parseInt(octal, 8);
    const [, control] = take(isInClass ? /\\c([\w])/y : /\\c([a-zA-Z])/y) ?? [];
    if (control !== undefined) return codeOf(control) % 32;
    if (source.startsWith('\\c', at)) return codeOf(source[at++]!);
    const [, escaped] = take(/\\([\s\S])/y) ?? [];
    if (escaped === undefined) return codeOf(source[at++]!);
    if (escaped === 'b' && isInClass) return codeOf('\b');
    return codeOf(controls[escaped] ?? escaped);
  }

  function parseClass(): CharacterSet {
    const isNegated = take(/\^/y) !== null;
    const ranges: (readonly [number, number])[] = [];
    /** Parses one member: returns its code, or undefined for a set such as \d, whose ranges are added. */
    const parseMember = (): number | undefined => {
      const set = parseEscapedSet();
      if (set === undefined) return parseCode(true);
      ranges.push(...set);
      return undefined;
    };
    while (!take(/\]/y)) {
      const from = parseMember();
      const isRange = take(/-(?!\])/y) !== null;
      const to = isRange ? parseMember() : from;
      if (from !== undefined && to !== undefined) ranges.push([from, to]);
      else {
        // Next to a set, a hyphen is a literal character.
        for (const code of [from, to, isRange ? codeOf('-') : undefined])
          if (code !== undefined) ranges.push([code, code]);
      }
    }
    return { kind: 'character', ranges, isNegated };
  }

  return parseChoice();
}
