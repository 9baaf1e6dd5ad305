import type { RepositoryRef } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import type { GiteaRepository } from './gitea-answers.ts';

const pageSize = 50;

/** A list of the host, page by page. */
export async function* giteaPages<Item>(client: RestClient, path: string): AsyncGenerator<Item> {
  const joint = path.includes('?') ? '&' : '?';
  for (let page = 1; ; page += 1) {
    const items = await client.read<Item[]>({ path: `${path}${joint}page=${page}&limit=${pageSize}` });
    if (items === null) return;
    yield* items;
    // An installation may allow smaller pages than asked for; only an empty one is the end.
    if (items.length === 0) return;
  }
}

/** The path of a repository; names with slashes and spaces stay one path. */
export function repositoryPath(fullName: string): string {
  return `/repos/${fullName.split('/').map(encodeURIComponent).join('/')}`;
}

/** Runs a call by the repository's name, and by its current name when it was renamed or moved. */
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
