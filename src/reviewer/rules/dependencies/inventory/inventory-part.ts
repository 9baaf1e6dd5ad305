import type { Workplace } from '../../../process/part.ts';
import type { RepositoryPlace } from '../../../repository/repository.ts';
import { openTree } from '../../../repository/tree-view.ts';
import { type Inventory, listPackages } from './list-packages.ts';

export interface InventoryRequest {
  readonly repository: RepositoryPlace;
  readonly commit: string;
}

/** Everything that a repository depends on at a commit. */
export async function work(
  { repository, commit }: InventoryRequest,
  { deadline }: Pick<Workplace, 'deadline'>,
): Promise<Inventory> {
  const tree = openTree(repository, commit);
  try {
    return await listPackages(tree, deadline);
  } finally {
    await tree.close();
  }
}
