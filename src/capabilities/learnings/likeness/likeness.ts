import { codeWords } from '../words/code-words.ts';

/** The minimum similarity of vectors; texts below it are about different things. */
export const minMeaning = 0.8;
/** The minimum share of common words, because embedding models differ in their similarities. */
const minShared = 1 / 3;

/** Words that negate what follows. */
const against = new Set(
  (
    'not no never none avoid without instead rather forbid forbidden disallow prohibit ban stop refuse reject disable exclude omit ' +
    'skip drop remove'
  ).split(' '),
);
/** Words that say nothing about the topic of a rule. */
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
  /** What the text advises against: the first topic after each negation such as `never`. */
  readonly against: ReadonlySet<string>;
}

/** Extracts the topics of a text, and those that it advises against. */
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
  /** `word`: the topic that only one of the texts advises against; `isFirst`: it is the first text. */
  | { readonly kind: 'conflict'; readonly word: string; readonly isFirst: boolean };

/** A topic of both texts that the first advises against and the second does not. */
function findOpposed(a: Reading, b: Reading): string | undefined {
  return [...a.against].find((stem) => b.topics.has(stem) && !b.against.has(stem));
}

/** A stemmed word as it is spelled in the text. */
function asWritten(text: string, stem: string): string {
  return text.match(/[\p{L}\p{M}\p{N}_$]+/gu)?.find((word) => codeWords(word).includes(stem)) ?? stem;
}

/**
 * How two texts with similar vectors relate: a conflict if only one advises against a common topic, otherwise a possible
 * duplicate. Null if they have too few words in common.
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
