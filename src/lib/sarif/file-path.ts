/**
 * The path a URI points to. `absolute` ones still include the root of the repository; others may start with `..` steps
 * out of the directory they are relative to.
 */
export type UriPath = { absolute: boolean; path: string };

/** Replaces each step above the root of the repository, so that no path we store or write can be followed there. */
const OUTSIDE = '(outside)';

/** Checks whether a path leads out of the repository. */
export function leavesRepository(path: string): boolean {
  return simplify(path).above > 0;
}

/**
 * Returns a path with `/` only and no `.`, `..` or empty parts. Steps above the root become special names, so the path can
 * neither point outside the repository nor be mistaken for one inside it.
 */
export function normalizeFilePath(path: string): string {
  const { above, parts } = simplify(path);
  return [...Array<string>(above).fill(OUTSIDE), ...parts].join('/');
}

/** The path of a file outside every root named in a log. */
export function outsidePath(path: string): string {
  return `${OUTSIDE}/${path}`;
}

/** Resolves a path against a base; steps above the root of an absolute base are dropped. */
export function joinPaths(base: UriPath, path: string): UriPath {
  const { above, parts } = simplify(`${base.path}/${path}`);
  const steps = base.absolute ? [] : Array<string>(above).fill('..');
  return { absolute: base.absolute, path: [...steps, ...parts].join('/') };
}

function simplify(path: string): { above: number; parts: string[] } {
  const parts: string[] = [];
  let above = 0;
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) above += 1;
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return { above, parts };
}

/** Checks whether a URI is an absolute path of the local file system, without a drive or host. */
export function isPosixPath(uri: string): boolean {
  return /^(?:file:(?:\/\/(?:localhost)?)?)?\/(?!\/)(?![a-z](?::|%3a)(?:\/|$))/i.test(
    uri.replaceAll('\\', '/'),
  );
}

/** Converts a path of the inventory to a URI: relative to the repository, or absolute if the path is. */
export function uriOfFilePath(path: string): string {
  if (path.startsWith('/')) return `file:///${uriOfFilePath(path.slice(1))}`;
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

/** Reads a URI reference, or the bare file path that many tools write instead. */
export function readUri(uri: string): UriPath {
  const drive = /^([a-z]):[\\/]/i.exec(uri);
  if (drive) return absolutePath(uri);
  const file = /^file:(?:\/\/(?:localhost(?=\/))?)?/i.exec(uri);
  if (file) return absolutePath(decodePath(uri.slice(file[0].length)));
  const scheme = /^[a-z][a-z0-9+.-]+:\/\//i.exec(uri);
  if (scheme) return joinPaths({ absolute: true, path: '' }, decodePath(uri.slice(scheme[0].length)));
  return joinPaths({ absolute: /^[\\/]/.test(uri), path: '' }, decodePath(uri));
}

function absolutePath(path: string): UriPath {
  const { absolute, path: plain } = joinPaths({ absolute: true, path: '' }, path);
  return { absolute, path: plain.replace(/^[a-z](?=:)/, (letter) => letter.toUpperCase()) };
}

function decodePath(path: string): string {
  return path.split('/').map(decodePart).join('/');
}

/** A stray `%` is taken literally: file names such as `100%.ts` arrive unescaped. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
