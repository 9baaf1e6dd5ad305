import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RepositoryPlace } from '../../repository/repository.ts';
import { endOf, type GitCall, GitError, runGit, startGit } from '../../repository/run-git.ts';
import { isShallow } from './list-commits.ts';

/** A file in a tree, with its mode and the id of its blob. */
export interface PlacedBlob {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

/** The repository of a data set: it borrows the objects of another one, which is only read, and has its own commits. */
export interface CaseRepository {
  /** Creates a commit on top of `parent` with the files of `like`, of which `files` replace some. Returns its id. */
  commit(like: string, parent: string, files: readonly PlacedBlob[]): Promise<string>;
}

/** Fixed, so that the same history results in the same commits. */
const signature = {
  GIT_AUTHOR_NAME: 'postil',
  GIT_AUTHOR_EMAIL: 'postil@localhost',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'postil',
  GIT_COMMITTER_EMAIL: 'postil@localhost',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
};

/** Creates the Git folder. It borrows the objects of `source` (alternates), so it is usable only while that exists. */
export async function makeCaseRepository(source: RepositoryPlace, folder: string): Promise<CaseRepository> {
  const format = (await runGit(['rev-parse', '--show-object-format'], source.call)).toString().trim();
  const { searchPath, signal } = source.call;
  const index = path.join(folder, 'postil-index');
  const call: GitCall = {
    folder,
    searchPath,
    signal,
    variables: { ...signature, GIT_DIR: folder, GIT_INDEX_FILE: index },
  };
  await mkdir(folder, { recursive: true });
  await runGit(['init', '--quiet', '--bare', `--object-format=${format}`], call);
  const { GIT_DIR: gitFolder, GIT_OBJECT_DIRECTORY: objects } = source.call.variables!;
  if (/[\n\r]/.test(objects!)) throw new GitError('failed', 'the name of the folder has a line break in it');
  await writeFile(path.join(folder, 'objects', 'info', 'alternates'), `${objects}\n`);
  if (await isShallow(source)) await copyFile(path.join(gitFolder!, 'shallow'), path.join(folder, 'shallow'));
  return {
    async commit(like, parent, files) {
      try {
        await runGit(['read-tree', like], call);
        const lines = files.map((file) => `${file.mode} ${file.id}\t${file.path}\0`).join('');
        await feed(['update-index', '-z', '--index-info'], lines, call);
        const tree = (await runGit(['write-tree'], call)).toString().trim();
        const made = await runGit(['commit-tree', tree, '-p', parent, '-m', `${like} without a part`], call);
        const id = made.toString().trim();
        // Keeps the commit from being garbage-collected.
        await runGit(['update-ref', `refs/postil/eval/${id}`, id], call);
        return id;
      } finally {
        await rm(index, { force: true });
      }
    },
  };
}

async function feed(given: readonly string[], text: string, call: GitCall): Promise<void> {
  const child = startGit(given, call);
  child.stdin.on('error', () => {}).end(text);
  child.stdout.resume();
  await endOf(child, call);
}

/** The blob of a file in a commit; undefined if it is not a regular file there. */
export async function findBlob(
  { call }: RepositoryPlace,
  commit: string,
  file: string,
): Promise<PlacedBlob | undefined> {
  const literal = { ...call, variables: { ...call.variables, GIT_LITERAL_PATHSPECS: '1' } };
  const listed = await runGit(['ls-tree', '-z', '--full-tree', commit, '--', file], literal);
  const [, mode, id] = /^(100\d+) blob ([0-9a-f]+)\t/.exec(listed.toString()) ?? [];
  return mode === undefined ? undefined : { path: file, mode, id: id! };
}
