import { stemWord } from './stem-word.ts';

/** A name, or names joined as in code and paths: `user_id`, `os.path.join`, `src/db/pool.ts`. */
const RUN = /[\p{L}\p{M}\p{N}_$]+(?:(?:[.\-/:#@]|::|->)[\p{L}\p{M}\p{N}_$]+)*/gu;
const RUN_HERE = new RegExp(RUN.source, 'uy');
const NAME = /[\p{L}\p{M}\p{N}_$]+/gu;
/** The parts of a name: `parseHTTPRequest2` is parse, HTTP, Request, 2. */
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{N}+/gu;
const PLAIN_WORD = /^[A-Z]?[a-z]+$/;
/** Scripts that do not put spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const MAX_WORD_LENGTH = 64;

/**
 * English words without meaning for retrieval. Words that are also keywords of a programming language (`for`, `in`, `is`,
 * `not`, `this`) are missing here on purpose: their weight depends on how rare they are among the Learnings.
 */
const STOP_WORDS = new Set(
  (
    'a an and are at be been but by can could has have had he her his how i it its may might of on our shall she should so such ' +
    'than that the their them then there these they those to us very was we were what which who will would you your'
  ).split(' '),
);

/**
 * The words of a text for retrieval: prose by its stems, names as a whole and by their parts, paths and dotted names
 * as a whole as well. The same word in a query and in a Learning becomes the same text.
 */
export function codeWords(text: string): string[] {
  const words: string[] = [];
  for (const [run] of text.matchAll(RUN)) {
    if (PLAIN_WORD.test(run)) {
      addWord(words, run.toLowerCase());
      continue;
    }
    const names = run.match(NAME)!;
    for (const name of names) addName(words, name);
    if (names.length > 1 && run.length <= MAX_WORD_LENGTH) words.push(run.toLowerCase());
  }
  return words;
}

/** The name, or names joined to one, at a position where a name starts. */
export function runAt(text: string, position: number): string {
  RUN_HERE.lastIndex = position;
  return RUN_HERE.exec(text)![0];
}

function addName(words: string[], name: string): void {
  const parts = name.match(PART);
  if (parts === null) return;
  for (const part of parts) {
    if (UNSPACED.test(part)) addPairs(words, part);
    else addWord(words, part.toLowerCase());
  }
  if (parts.length > 1 && name.length <= MAX_WORD_LENGTH) words.push(name.toLowerCase().replace(/[_$]/g, ''));
}

function addWord(words: string[], word: string): void {
  if (word.length <= MAX_WORD_LENGTH && !STOP_WORDS.has(word)) words.push(stemWord(word));
}

/** In scripts without spaces, every two neighbouring characters count as a word. */
function addPairs(words: string[], text: string): void {
  const characters = [...text];
  if (characters.length === 1) words.push(text);
  for (let index = 1; index < characters.length; index += 1)
    words.push(characters[index - 1]! + characters[index]!);
}
