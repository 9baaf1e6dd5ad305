import { copyFile, mkdir, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findCommit, RevisionError, type Revisions } from './choose-revisions.ts';
import { checkIndex, findFile } from './metadata-files.ts';
import type { Repository } from './repository.ts';
import { GitError, runGit } from './run-git.ts';

/** The staged changes, and the repository in which they can be read as a tree. */
export interface Staged {
  readonly repository: Repository;
  readonly revisions: Revisions;
}

/**
 * Opens the changes that the next commit would contain, relative to HEAD. The tree is made from a copy of the index, and its
 * objects are written to our own folder, so that neither the repository nor its index changes.
 */
export async function openStaged(repository: Repository, given: string | undefined): Promise<Staged> {
  if (repository.root === null)
    throw new RevisionError('A bare repository has no index, so that nothing is staged in it');
  const { GIT_DIR: own, GIT_OBJECT_DIRECTORY: objects, GIT_INDEX_FILE: index } = repository.call.variables!;
  const copy = path.join(own!, 'index');
  const source = await presentIndex(index!, given);
  if (source !== undefined) await copyFile(source, copy);
  const ownObjects = path.join(own!, 'objects');
  await mkdir(path.join(ownObjects, 'info'), { recursive: true });
  await writeFile(path.join(ownObjects, 'info', 'alternates'), `${objects}\n`);
  const variables = {
    ...repository.call.variables,
    GIT_OBJECT_DIRECTORY: ownObjects,
    GIT_INDEX_FILE: copy,
  };
  const staged = { ...repository, call: { ...repository.call, variables } };
  const head = await writeTree(staged);
  const tip = await findCommit(staged, 'HEAD');
  if (tip !== undefined) return { repository: staged, revisions: { base: tip, head, baseName: 'HEAD' } };
  const empty = await runGit(['hash-object', '-t', 'tree', '-w', '/dev/null'], staged.call);
  return {
    repository: staged,
    revisions: { base: empty.toString().trim(), head, baseName: null },
  };
}

/**
 * The index to use; undefined if there is none. `git commit` with paths or `-a` passes another index to its hooks, which is in
 * the folder of the usual one. One in any other folder is of another repository.
 */
async function presentIndex(usual: string, given: string | undefined): Promise<string | undefined> {
  const folder = path.dirname(usual);
  const isBeside =
    given !== undefined &&
    (await findFile(given)) !== undefined &&
    path.dirname(await realpath(given)) === (await realpath(folder));
  const index = isBeside ? given : usual;
  return (await checkIndex(index)) ? index : undefined;
}

async function writeTree({ call }: Repository): Promise<string> {
  try {
    // In a partial clone, contents may be missing; a tree needs only their ids.
    return (await runGit(['write-tree', '--missing-ok'], call)).toString().trim();
  } catch (error) {
    if (error instanceof GitError && /unmerged/.test(error.message))
      throw new RevisionError('Files in the index have conflicts; resolve and stage them first');
    throw error;
  }
}
