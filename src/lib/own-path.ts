const base = 'https://postil.invalid';

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Whether a text is a path on this server that browsers take exactly as written, without leaving this origin. Browsers drop
 * tabs and line breaks and treat a backslash as a slash, so only a URL parser like theirs can decide. The same must hold for
 * the decoded path.
 *
 * The sign-in page has the same function (dashboard/src/lib/own-path.ts); a test checks that the two agree.
 */
export function isOwnPath(text: string): boolean {
  if (!text.startsWith('/') || /\\|\/\//.test(text) || decode(text) === undefined) return false;
  const path = decode(text.split(/[?#]/, 1)[0]!)!;
  if (/[\\\p{Cc}]|\/\//u.test(path)) return false;
  return URL.canParse(text, base) && new URL(text, base).href === base + text;
}
