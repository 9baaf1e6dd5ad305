import type { Hunk } from '../../../reviewer/change/change.ts';
import { readSection, splitSections } from '../../../reviewer/change/file-sections.ts';
import type { RepositoryPlace } from '../../../reviewer/repository/repository.ts';
import { endOf, GitError, runGit, startGit } from '../../../reviewer/repository/run-git.ts';

/** How a file changed from one version to another. */
export interface FileComparison {
  /** Its path in the newer version; null if it was deleted. */
  readonly newPath: string | null;
  readonly hunks: readonly Hunk[];
  /** False if its changes cannot be expressed in lines: binary, or too large. */
  readonly isReadable: boolean;
}

/** The differences between two versions. */
export interface RevisionComparison {
  /** How a file of the older version changed. */
  of(path: string): FileComparison;
  /** All files that differ; new ones have no older path. */
  readonly files: readonly (FileComparison & { readonly oldPath: string | null })[];
}

/** More paths than this do not fit on a command line; then everything is compared. */
const maxNamedPaths = 500;

const options = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--find-renames',
  '-l1000',
  '--ignore-submodules=all',
  '--patch',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--full-index',
  '--unified=0',
  // A change of indentation alone does not count.
  '--ignore-all-space',
  '--inter-hunk-context=0',
  '--diff-algorithm=histogram',
];

/** Whether the repository still has a commit; hosts forget those that a force-push replaced. */
export async function hasCommit(repository: RepositoryPlace, revision: string): Promise<boolean> {
  try {
    await runGit(['cat-file', '-e', `${revision}^{commit}`], repository.call);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.fault === 'failed') return false;
    throw error;
  }
}

/** The paths that differ between two commits, in both. */
export async function findChangedPaths(
  { call }: RepositoryPlace,
  from: string,
  to: string,
): Promise<string[]> {
  const listed = await runGit(['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to, '--'], call);
  return listed.toString().split('\0').filter(Boolean);
}

/**
 * Compares these paths in two commits by content. The history in between is irrelevant, so a rebase or squash makes no
 * difference. A rename is found if both of its paths are included.
 */
export async function compareRevisions(
  repository: RepositoryPlace,
  from: string,
  to: string,
  paths: readonly string[],
): Promise<RevisionComparison> {
  const files: RevisionComparison['files'][number][] = [];
  if (from !== to && paths.length > 0)
    for await (const file of readFiles(repository, from, to, paths)) files.push(file);
  const byPath = new Map(files.map((file) => [file.oldPath, file]));
  return {
    files,
    of: (path) => byPath.get(path) ?? { newPath: path, hunks: [], isReadable: true },
  };
}

async function* readFiles(
  { call }: RepositoryPlace,
  from: string,
  to: string,
  paths: readonly string[],
): AsyncGenerator<RevisionComparison['files'][number]> {
  const named = paths.length > maxNamedPaths ? [] : paths;
  const child = startGit(['--literal-pathspecs', 'diff', ...options, from, to, '--', ...named], call);
  child.stdin.on('error', () => {}).end();
  const ended = endOf(child, call);
  ended.catch(() => {});
  try {
    for await (const part of splitSections(child.stdout.setEncoding('utf8'))) {
      const { oldPath, path, kind, missing, hunks } = readSection(part);
      const newPath = kind === 'deleted' ? null : path;
      yield { oldPath: kind === 'copied' ? null : oldPath, newPath, hunks, isReadable: missing === null };
    }
  } finally {
    child.kill('SIGKILL');
  }
  await ended;
}
