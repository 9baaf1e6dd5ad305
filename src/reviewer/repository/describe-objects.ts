import type { RepositoryPlace } from './repository.ts';
import { runGit } from './run-git.ts';

/** Enough for lines about some ten million objects. */
const maxBytes = 1024 ** 3;

/** A line about each of the objects, in their order; `… missing` for an object that is missing locally. */
export async function describeObjects(
  { call }: RepositoryPlace,
  ids: readonly string[],
  format: string,
): Promise<string[]> {
  const asked = ids.map((id) => `${id}\n`).join('');
  const answer = await runGit(['cat-file', `--batch-check=${format}`], { ...call, maxBytes }, asked);
  return answer.toString().split('\n').slice(0, -1);
}

/** The ids of the objects that are missing locally, as in a partial clone. */
export async function findMissing(repository: RepositoryPlace, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const lines = await describeObjects(repository, ids, '%(objectname)');
  return lines.flatMap((line) => /^([0-9a-f]+) missing$/.exec(line)?.[1] ?? []);
}
