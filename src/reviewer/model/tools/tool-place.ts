import type { RepositoryPlace } from '../../repository/repository.ts';
import type { TreeView } from '../../repository/tree-view.ts';

/** What a tool can read: one revision of a repository, without links, submodules and files that Git ignores. */
export interface ToolPlace {
  readonly tree: TreeView;
  readonly repository: RepositoryPlace;
  isLate(): boolean;
}

/** Normalizes a path as models write it to one of the tree. */
export function asPath(given: string): string {
  return given.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
}

export const noSuchFile = 'There is no such file in the repository at this revision.';
export const nothingFound = 'Nothing was found.';
