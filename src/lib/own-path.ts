const base = 'https://postil.invalid';

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Tells whether a text is the address of a page of this server and nothing else: browsers read it exactly as it is
 * written, on this origin. Browsers drop tabs and line ends and take a backslash for a slash, so that only the
 * parser they use can say so. What the path stands for once it is decoded obeys the same rule.
 *
 * The sign-in page has the same function (dashboard/src/lib/own-path.ts); a test holds the two against each other.
 */
export function isOwnPath(text: string): boolean {
  if (!text.startsWith('/') || /\\|\/\//.test(text) || decode(text) === undefined) return false;
  const path = decode(text.split(/[?#]/, 1)[0]!)!;
  if (/[\\\p{Cc}]|\/\//u.test(path)) return false;
  return URL.canParse(text, base) && new URL(text, base).href === base + text;
}
