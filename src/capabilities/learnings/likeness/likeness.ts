import { codeWords } from '../words/code-words.ts';

/** Texts that are less alike than this by meaning are about different things. */
export const minMeaning = 0.8;
/** And they share at least this part of their words: models differ in what they find alike. */
const minShared = 1 / 3;

/** Words that turn what follows into what not to do. */
const against = new Set(
  (
    'not no never none avoid without instead rather forbid forbidden disallow prohibit ban stop refuse reject disable exclude omit ' +
    'skip drop remove'
  ).split(' '),
);
/** Words that carry a rule without saying what it is about. */
const carriers = new Set(
  (
    'always use must do does need require allow enable include prefer keep ensure make let get set only ever any all every each in is ' +
    'if for from with as this when where because please of than to too also just'
  ).split(' '),
);
const stems = (words: ReadonlySet<string>) => new Set([...words].flatMap(codeWords));
const againstStems = stems(against);
const carrierStems = stems(carriers);

interface Reading {
  /** What the text is about. */
  readonly topics: ReadonlySet<string>;
  /** What it is against: the first word that follows a word such as `never`. */
  readonly against: ReadonlySet<string>;
}

/** What a text is about and what it is against. */
export function readText(text: string): Reading {
  const topics = new Set<string>();
  const turned = new Set<string>();
  let isTurned = false;
  for (const word of codeWords(text.replace(/n['’]t\b/gi, ' not').replace(/\bcannot\b/gi, 'can not'))) {
    if (againstStems.has(word)) isTurned = true;
    else if (!carrierStems.has(word)) {
      topics.add(word);
      if (isTurned) turned.add(word);
      isTurned = false;
    }
  }
  return { topics, against: turned };
}

export type Likeness =
  | { readonly kind: 'duplicate' }
  /** `word` is what one of them is against; `isFirst`: the first one is. */
  | { readonly kind: 'conflict'; readonly word: string; readonly isFirst: boolean };

/** A word of both texts that one is against and the other is not. */
function findOpposed(a: Reading, b: Reading): string | undefined {
  return [...a.against].find((stem) => b.topics.has(stem) && !b.against.has(stem));
}

/** A word as the text has it. */
function asWritten(text: string, stem: string): string {
  return text.match(/[\p{L}\p{M}\p{N}_$]+/gu)?.find((word) => codeWords(word).includes(stem)) ?? stem;
}

/**
 * How two texts that are alike by meaning relate: they conflict if one is against something that the other is not against,
 * otherwise they may be the same twice. Null if they share too few words.
 */
export function compareTexts(first: string, second: string): Likeness | null {
  const [a, b] = [readText(first), readText(second)];
  const all = a.topics.union(b.topics).size;
  if (all === 0 || a.topics.intersection(b.topics).size < minShared * all) return null;
  const byFirst = findOpposed(a, b);
  if (byFirst !== undefined) return { kind: 'conflict', word: asWritten(first, byFirst), isFirst: true };
  const bySecond = findOpposed(b, a);
  if (bySecond !== undefined) return { kind: 'conflict', word: asWritten(second, bySecond), isFirst: false };
  return { kind: 'duplicate' };
}
