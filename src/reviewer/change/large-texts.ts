import { describeObjects } from '../repository/describe-objects.ts';
import { openWorkingFile } from '../repository/file-text.ts';
import type { RepositoryPlace } from '../repository/repository.ts';
import { bigFileBytes, endOf, startGit } from '../repository/run-git.ts';

/** How many bytes Git searches for a NUL to decide whether a file is binary. */
const beginningBytes = 8_000;

/**
 * Finds the texts among files that Git calls binary (paths with the ids of their new blobs): it calls files above a size
 * limit binary without reading them.
 */
export async function findLargeTexts(
  repository: RepositoryPlace,
  head: string | null,
  files: ReadonlyMap<string, string | undefined>,
): Promise<string[]> {
  const large = head === null ? [...files] : await largeOnes(repository, files);
  const texts: string[] = [];
  for (const [path, id] of large) {
    const beginning =
      head === null ? await beginningHere(repository, path) : await beginningOf(repository, id!);
    if (beginning !== undefined && !beginning.includes(0)) texts.push(path);
  }
  return texts;
}

async function largeOnes(repository: RepositoryPlace, files: ReadonlyMap<string, string | undefined>) {
  const withId = [...files].filter(([, id]) => id !== undefined && !/^0+$/.test(id));
  if (withId.length === 0) return [];
  const ids = withId.map(([, id]) => id!);
  const sizes = (await describeObjects(repository, ids, '%(objectsize)')).map(Number);
  return withId.filter((_, index) => sizes[index]! > bigFileBytes);
}

async function beginningOf({ call }: RepositoryPlace, id: string): Promise<Buffer | undefined> {
  const child = startGit(['cat-file', 'blob', id], call);
  child.stdin.on('error', () => {}).end();
  const ended = endOf(child, call);
  ended.catch(() => {});
  let beginning = Buffer.alloc(0);
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    beginning = Buffer.concat([beginning, chunk]);
    if (beginning.length >= beginningBytes) break;
  }
  child.kill('SIGKILL');
  await ended.catch(() => {});
  return beginning.length === 0 ? undefined : beginning.subarray(0, beginningBytes);
}

async function beginningHere({ root }: RepositoryPlace, path: string): Promise<Buffer | undefined> {
  const opened = await openWorkingFile(root!, path);
  try {
    if (opened === undefined || opened.size <= bigFileBytes) return undefined;
    const { buffer, bytesRead } = await opened.file.read(Buffer.alloc(beginningBytes), 0, beginningBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await opened?.file.close();
  }
}
