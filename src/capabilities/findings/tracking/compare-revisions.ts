import type { Hunk } from '../../reviews/changes/change.ts';
import { readSection, splitSections } from '../../reviews/changes/file-sections.ts';
import type { Repository } from '../../reviews/changes/repository.ts';
import { endOf, GitError, runGit, startGit } from '../../reviews/changes/run-git.ts';

/** What became of a file from one version to another. */
export interface FileComparison {
  /** Its path in the newer version; null if it was deleted. */
  readonly newPath: string | null;
  readonly hunks: readonly Hunk[];
  /** False if it changed in a way that cannot be told by lines: binary, or too large. */
  readonly isReadable: boolean;
}

/** What differs between two versions, by the paths of the older one. */
export interface RevisionComparison {
  of(path: string): FileComparison;
  /** All files that differ and were asked for. */
  readonly files: ReadonlyMap<string, FileComparison>;
}

/** More paths than this are not worth naming; everything is compared then. */
const maxNamedPaths = 300;

const options = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--find-renames',
  '-l1000',
  '--ignore-submodules=all',
];
const patchOptions = [
  '--patch',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--full-index',
  '--unified=0',
  '--inter-hunk-context=0',
  '--diff-algorithm=histogram',
];

/** Whether the repository still has a commit; hosts forget those that a force-push replaced. */
export async function hasCommit(repository: Repository, revision: string): Promise<boolean> {
  try {
    await runGit(['cat-file', '-e', `${revision}^{commit}`], repository.call);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.fault === 'failed') return false;
    throw error;
  }
}

/** Compares two commits by content, whatever their history: so a rebase or squash changes nothing about what is found. */
export async function compareRevisions(
  repository: Repository,
  from: string,
  to: string,
  paths: readonly string[],
): Promise<RevisionComparison> {
  const renamed = await readRenames(repository, from, to);
  const named = [...new Set(paths.flatMap((path) => [path, renamed.get(path) ?? path]))];
  const files = new Map<string, FileComparison>();
  if (from !== to && paths.length > 0)
    for await (const [path, file] of readFiles(repository, from, to, named)) files.set(path, file);
  return {
    files,
    of: (path) => files.get(path) ?? { newPath: path, hunks: [], isReadable: true },
  };
}

/** The new paths of renamed files, by their old ones. They are looked for among all files, not only those asked for. */
async function readRenames({ call }: Repository, from: string, to: string): Promise<Map<string, string>> {
  const listed = await runGit(
    ['diff', '--name-status', '-z', '--diff-filter=R', ...options, from, to, '--'],
    call,
  );
  const fields = listed.toString().split('\0');
  const renamed = new Map<string, string>();
  for (let index = 0; index + 2 < fields.length; index += 3)
    renamed.set(fields[index + 1]!, fields[index + 2]!);
  return renamed;
}

async function* readFiles(
  { call }: Repository,
  from: string,
  to: string,
  named: readonly string[],
): AsyncGenerator<[string, FileComparison]> {
  const paths = named.length > maxNamedPaths ? [] : named;
  const child = startGit(
    ['--literal-pathspecs', 'diff', ...options, ...patchOptions, from, to, '--', ...paths],
    call,
  );
  child.stdin.on('error', () => {}).end();
  const ended = endOf(child, call);
  ended.catch(() => {});
  try {
    for await (const part of splitSections(child.stdout.setEncoding('utf8'))) {
      const { oldPath, path, kind, missing, hunks } = readSection(part);
      if (oldPath === null || kind === 'copied') continue; // new files have no older version to follow
      yield [oldPath, { newPath: kind === 'deleted' ? null : path, hunks, isReadable: missing === null }];
    }
  } finally {
    child.kill('SIGKILL');
  }
  await ended;
}
