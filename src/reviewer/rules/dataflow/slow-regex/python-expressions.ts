/** Translates a regular expression of Python to JavaScript; null if that is not possible. */
export function asScript(
  written: string,
  isRaw: boolean,
  given: string,
): { readonly source: string; readonly flags: string } | null {
  // Verbose and locale-dependent expressions treat spaces and letters differently.
  if (/\bre\.(?:X|VERBOSE|L|LOCALE)\b/.test(given)) return null;
  const text = isRaw ? written : written.replaceAll(/\\([\\'"])/g, '$1');
  const inline = /^\(\?([a-z]+)\)/.exec(text)?.[1] ?? '';
  if (/[^aimsu]/.test(inline)) return null;
  const bare = text.slice(inline === '' ? 0 : inline.length + 3);
  const own = [
    ['i', /\bre\.I(?:GNORECASE)?\b/],
    ['m', /\bre\.M(?:ULTILINE)?\b/],
    ['s', /\bre\.S\b|\bre\.DOTALL\b/],
  ] as const;
  const flags = own
    .filter(([sign, named]) => inline.includes(sign) || named.test(given))
    .map(([sign]) => sign);
  // Conditions, comments, atomic groups and possessive quantifiers have no counterpart.
  if (/\(\?[(#>]|\(\?[a-z-]+:|[*+?}]\+|\\[AZG]/.test(bare)) return null;
  const source = bare.replaceAll('(?P<', '(?<').replaceAll(/\(\?P=(\w+)\)/g, '\\k<$1>');
  try {
    new RegExp(source, flags.join(''));
  } catch {
    return null;
  }
  return { source, flags: flags.join('') };
}
