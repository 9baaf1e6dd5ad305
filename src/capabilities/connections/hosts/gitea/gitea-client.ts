import { boundedPages } from '../bounded-pages.ts';
import { HostRefused } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import type { RepositoryRef } from '../review-host.ts';
import type { GiteaRepository } from './gitea-responses.ts';

const pageSize = 50;

export interface GiteaListOptions {
  /** A list that does not exist is a refusal, not an empty list. */
  readonly isRequired?: boolean;
  /** Whether `x-total-count` counts the whole list; that of a timeline counts the page. */
  readonly isCounted?: boolean;
}

/**
 * Reads a list page by page. Some lists are not paged: every page is the whole list, so the count decides where it ends.
 * Pages can be smaller than requested, so without a count only an empty page is the end.
 */
export async function* giteaPages<Item>(
  client: RestClient,
  path: string,
  { isRequired = false, isCounted = true }: GiteaListOptions = {},
): AsyncGenerator<Item> {
  const separator = path.includes('?') ? '&' : '?';
  let page = 0;
  let seen = 0;
  let isLast = false;
  yield* boundedPages<Item>(async () => {
    if (isLast) return null;
    page += 1;
    const answer = await client.readWithHeaders<Item[] | null>({
      path: `${path}${separator}page=${page}&limit=${pageSize}`,
      size: 'page',
    });
    if (answer === null && isRequired) throw new HostRefused(404, `the host has no ${path}`);
    const items = answer?.value ?? [];
    seen += items.length;
    const total = isCounted ? answer?.headers['x-total-count'] : undefined;
    isLast = items.length === 0 || (total !== undefined && seen >= Number(total));
    return items;
  });
}

/** The path of a repository; slashes and spaces in names are escaped. */
export function repositoryPath(fullName: string): string {
  return `/repos/${fullName.split('/').map(encodeURIComponent).join('/')}`;
}

/** Makes a call by the repository's known name, and by its current name if it was renamed or moved. */
export async function atRepository<Value>(
  client: RestClient,
  { id, fullName }: RepositoryRef,
  call: (path: string) => Promise<Value | null>,
): Promise<Value | null> {
  const found = await call(repositoryPath(fullName));
  if (found !== null) return found;
  const moved = await client.read<GiteaRepository>({ path: `/repositories/${encodeURIComponent(id)}` });
  if (moved === null || moved.full_name === fullName) return null;
  return call(repositoryPath(moved.full_name));
}
