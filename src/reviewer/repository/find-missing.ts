import { text } from 'node:stream/consumers';
import type { RepositoryPlace } from './repository.ts';
import { endOf, startGit } from './run-git.ts';

/** Those of the objects that are not here, as in a clone without the contents of files. */
export async function findMissing(repository: RepositoryPlace, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const child = startGit(['cat-file', '--batch-check=%(objectname)'], repository.call);
  const ended = endOf(child, repository.call);
  ended.catch(() => {});
  child.stdin.on('error', () => {}).end(ids.map((id) => `${id}\n`).join(''));
  const answer = await text(child.stdout);
  await ended;
  return [...answer.matchAll(/^([0-9a-f]+) missing$/gm)].map(([, id]) => id!);
}
