const base = 'https://postil.invalid';

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Whether the text is the path of a page on this server and nothing else: browsers resolve it to this origin, exactly
 * as written. Browsers drop tabs and line breaks and treat a backslash as a slash, so only the parser they use can
 * decide. The decoded path must satisfy the same rule.
 *
 * The server has the same function (src/lib/own-path.ts); a test compares the two.
 */
export function isOwnPath(text: string): boolean {
  if (!text.startsWith('/') || /\\|\/\//.test(text) || decode(text) === undefined) return false;
  const path = decode(text.split(/[?#]/, 1)[0]!)!;
  if (/[\\\p{Cc}]|\/\//u.test(path)) return false;
  return URL.canParse(text, base) && new URL(text, base).href === base + text;
}
