import { decodeText, maxTextBytes } from '../../../reviewer/repository/file-text.ts';
import { createBlobReader } from '../../../reviewer/repository/read-blobs.ts';
import type { RepositoryPlace } from '../../../reviewer/repository/repository.ts';
import { runGit } from '../../../reviewer/repository/run-git.ts';
import { listFiles } from '../../../reviewer/repository/tree-view.ts';
import { isUnspeakable, type ReadCommits, shownLine } from './code-request.ts';
import { countLines } from './read-patch-part.ts';

export interface LinesRequest extends Pick<ReadCommits, 'repository'> {
  readonly revision: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

export interface ShownLines {
  readonly lines: readonly string[];
  /** The number of lines in the file. */
  readonly totalLines: number;
  readonly isCut: boolean;
}

/**
 * Lines of a file in a commit; null if the commit has no such file, or the mirror does not have its contents. Symbolic links
 * and submodules do not count as files.
 */
export async function work({
  repository,
  revision,
  path,
  startLine,
  endLine,
}: LinesRequest): Promise<ShownLines | null> {
  const id = await findFile(repository, revision, path);
  if (id === undefined) return null;
  const blobs = createBlobReader(repository.call);
  try {
    const text = decodeText(await blobs.read(id, maxTextBytes));
    if (text === undefined) return null;
    const totalLines = countLines(text);
    const shown = text
      .split('\n')
      .slice(0, totalLines)
      .slice(startLine - 1, endLine)
      .map(shownLine);
    return { lines: shown.map((line) => line.text), totalLines, isCut: shown.some(({ isCut }) => isCut) };
  } finally {
    await blobs.close();
  }
}

/** The id of a regular file. */
async function findFile(
  repository: RepositoryPlace,
  revision: string,
  path: string,
): Promise<string | undefined> {
  if (isUnspeakable(path)) return (await listFiles(repository, revision)).get(path);
  const { call } = repository;
  const variables = { ...call.variables, GIT_LITERAL_PATHSPECS: '1' };
  const listed = await runGit(['ls-tree', '-z', '--full-tree', revision, '--', path], { ...call, variables });
  return /^100\d{3} blob ([0-9a-f]+)\t/.exec(listed.toString())?.[1];
}
