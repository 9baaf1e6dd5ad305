/** Where a URI points: `absolute` ones still need the root of the repository taken off. */
export type UriPath = { absolute: boolean; path: string };

/**
 * Path with `/` only and no `.`, `..` or empty parts; steps above the root are dropped, so it can never
 * name a place outside the repository.
 */
export function normalizeFilePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Relative URI reference of a normalised path. */
export function uriOfFilePath(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

/** Reads a URI reference, or the bare file path that many tools write in its place. */
export function readUri(uri: string): UriPath {
  const drive = /^([a-z]):[\\/]/i.exec(uri);
  if (drive) return { absolute: true, path: normalizeDrive(normalizeFilePath(uri)) };
  const file = /^file:(?:\/\/(?:localhost(?=\/))?)?/i.exec(uri);
  if (file) return { absolute: true, path: normalizeDrive(decodePath(uri.slice(file[0].length))) };
  const scheme = /^[a-z][a-z0-9+.-]+:\/\//i.exec(uri);
  if (scheme) return { absolute: true, path: decodePath(uri.slice(scheme[0].length)) };
  return { absolute: /^[\\/]/.test(uri), path: decodePath(uri) };
}

function decodePath(path: string): string {
  return normalizeFilePath(path.split('/').map(decodePart).join('/'));
}

/** A stray `%` is taken as written: file names such as `100%.ts` reach us unescaped. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function normalizeDrive(path: string): string {
  return path.replace(/^[a-z](?=:)/, (letter) => letter.toUpperCase());
}
