const DOUBLED = /([bdfgmnprt])\1$/;
const VOWEL = /[aeiouy]/;

/**
 * Removes the endings by which an English word differs between a rule and a comment about it: plural, -ing, -ed.
 * Deliberately light: names in code should stay distinct from similar ones.
 */
export function stemWord(word: string): string {
  if (word.length < 4) return word;
  return withoutSilentE(withoutVerbEnding(singular(word)));
}

function singular(word: string): string {
  if (!word.endsWith('s')) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|zz)es$/.test(word)) return word.slice(0, -2);
  return /(?:ss|us|is)$/.test(word) ? word : word.slice(0, -1);
}

function withoutVerbEnding(word: string): string {
  const ending = word.endsWith('ing') ? 3 : word.endsWith('ed') ? 2 : 0;
  const stem = word.slice(0, word.length - ending);
  if (ending === 0 || stem.length < 3 || !VOWEL.test(stem)) return word;
  return DOUBLED.test(stem) ? stem.slice(0, -1) : stem;
}

/** Makes `use` equal `using`, and `cache` equal `caching`. */
function withoutSilentE(word: string): string {
  return word.length > 4 && word.endsWith('e') ? word.slice(0, -1) : word;
}
