import { redactCredentials } from './redact-credentials.ts';

/**
 * The name of a file as it is shown: whoever made a change chose it, and may have put a credential into it. Files are told apart,
 * found again and commented on by their real names.
 */
export function shownPath(path: string): string {
  return redactCredentials(path);
}

/** Entries about files with their names as they are shown. Names are checked together, because a change can have very many. */
export function withShownPaths<Entry extends { readonly path: string | null }>(
  entries: readonly Entry[],
): readonly Entry[] {
  const all = entries.map(({ path }) => path ?? '').join('\n');
  if (redactCredentials(all) === all) return entries;
  return entries.map((entry) => (entry.path === null ? entry : { ...entry, path: shownPath(entry.path) }));
}
