import type { RepositoryPlace } from '../../repository/repository.ts';
import type { TreeView } from '../../repository/tree-view.ts';

/** Where a tool looks things up: one revision of a repository, without links, submodules and what Git ignores. */
export interface ToolPlace {
  readonly tree: TreeView;
  readonly repository: RepositoryPlace;
  isLate(): boolean;
}

/** A path as models write it, as the tree knows it. */
export function asPath(given: string): string {
  return given.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
}

export const noSuchFile = 'There is no such file in the repository at this revision.';
export const nothingFound = 'Nothing was found.';
