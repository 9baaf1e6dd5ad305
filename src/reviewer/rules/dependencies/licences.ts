/** Allowed and denied licences; an empty list means no restriction. */
export interface LicencePolicy {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

const token = /\s*(\(|\)|[A-Za-z0-9.+:-]+)/y;

/**
 * Whether a policy accepts a licence, which may be an expression such as `(MIT OR GPL-2.0-only)`: one of the operands of `OR`,
 * and all of those of `AND`, must be accepted. Null if it cannot be parsed.
 */
export function licenceFits(licence: string, policy: LicencePolicy): boolean | null {
  const fold = (id: string) => id.toLowerCase().replace(/-only$/, '');
  const [allowed, denied] = [policy.allow, policy.deny].map((ids) => new Set(ids.map(fold))) as [
    Set<string>,
    Set<string>,
  ];
  const isFine = (id: string) => !denied.has(fold(id)) && (allowed.size === 0 || allowed.has(fold(id)));
  const words = wordsOf(licence);
  if (words === null) return null;
  let at = 0;
  const either = (): boolean => {
    let fits = both();
    while (words[at]?.toUpperCase() === 'OR') {
      at += 1;
      fits = both() || fits;
    }
    return fits;
  };
  const both = (): boolean => {
    let fits = one();
    while (words[at]?.toUpperCase() === 'AND') {
      at += 1;
      fits = one() && fits;
    }
    return fits;
  };
  const one = (): boolean => {
    const word = words[at];
    at += 1;
    if (word === undefined || word === ')' || /^(?:AND|OR|WITH)$/i.test(word)) throw new SyntaxError(licence);
    if (word === '(') {
      const fits = either();
      if (words[at] !== ')') throw new SyntaxError(licence);
      at += 1;
      return fits;
    }
    if (words[at]?.toUpperCase() !== 'WITH') return isFine(word);
    at += 2;
    return isFine(word) || isFine(`${word} WITH ${words[at - 1]}`);
  };
  try {
    const fits = either();
    return at === words.length ? fits : null;
  } catch {
    return null;
  }
}

/** Whether a text is an SPDX expression, or the name of one licence. */
export function isExpression(licence: string): boolean {
  return licenceFits(licence, { allow: [], deny: [] }) !== null;
}

/** The words of an expression; null for other texts, such as `SEE LICENSE IN file`. */
function wordsOf(licence: string): string[] | null {
  const said = licence.trim();
  if (said.length > 300 || /^(?:see licen[cs]e|unlicensed$|unknown$)/i.test(said)) return null;
  const words: string[] = [];
  token.lastIndex = 0;
  for (let at = 0; at < said.length; at = token.lastIndex) {
    token.lastIndex = at;
    const found = token.exec(said);
    if (found === null) return null;
    words.push(found[1]!);
  }
  return words.length === 0 ? null : words;
}
