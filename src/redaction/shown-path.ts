import { redactCredentials } from './redact-credentials.ts';

/**
 * A path as it is shown. The author of a change chose it, and may have put a credential into it. Files are compared, looked up
 * and commented on by their real paths.
 */
export function shownPath(path: string): string {
  return redactCredentials(path);
}

/** Returns the entries with their paths as they are shown. All paths are checked at once, because a change can have very many. */
export function withShownPaths<Entry extends { readonly path: string | null }>(
  entries: readonly Entry[],
): readonly Entry[] {
  const all = entries.map(({ path }) => path ?? '').join('\n');
  if (redactCredentials(all) === all) return entries;
  return entries.map((entry) => (entry.path === null ? entry : { ...entry, path: shownPath(entry.path) }));
}
