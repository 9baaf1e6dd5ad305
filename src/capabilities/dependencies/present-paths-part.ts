import type { RepositoryPlace } from '../../reviewer/repository/repository.ts';
import { openTree } from '../../reviewer/repository/tree-view.ts';

export interface PresentPathsRequest {
  readonly repository: RepositoryPlace;
  readonly commit: string;
  readonly paths: readonly string[];
}

/** The given paths that exist in the commit as files, folders, links or submodules, or are behind a link. */
export async function work({ repository, commit, paths }: PresentPathsRequest): Promise<string[]> {
  const tree = openTree(repository, commit);
  try {
    const links = await tree.links();
    const known = new Set(['']);
    for (const path of [...(await tree.paths()), ...links])
      for (const above of withFolders(path)) known.add(above);
    return paths.filter((path) => {
      const own = path.replace(/^(\.?\/)+/, '').replace(/\/+$/, '');
      return known.has(own) || withFolders(own).some((above) => links.has(above));
    });
  } finally {
    await tree.close();
  }
}

/** A path and all its parent folders. */
function withFolders(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
