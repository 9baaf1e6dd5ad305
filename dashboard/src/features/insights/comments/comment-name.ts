import type { ListedComment } from '../wire.ts';

type Named = Pick<ListedComment, 'title' | 'path' | 'start_line' | 'url'>;

/** Where a comment is in the code; null if that is unknown. */
export function commentPlace({ path, start_line }: Omit<Named, 'title' | 'url'>): string | null {
  if (path === null) return null;
  return start_line === null ? path : `${path}:${start_line}`;
}

/** A name for a comment: its title, otherwise its place, otherwise the end of its URL. */
export function commentName({ title, url, ...place }: Named): string {
  return title ?? commentPlace(place) ?? `Comment ${url.replace(/\/+$/, '').split(/[/#]/).at(-1)}`;
}
