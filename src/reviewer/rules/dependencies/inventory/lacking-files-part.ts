import { findMissing } from '../../../repository/describe-objects.ts';
import { listFiles, openTree } from '../../../repository/tree-view.ts';
import { DependencyTree } from '../read-files.ts';
import type { InventoryRequest } from './inventory-part.ts';
import { maxFiles } from './list-packages.ts';

/**
 * Returns the ids of the manifests and lock files that an inventory of the commit reads, and whose contents are missing locally.
 */
export async function work({ repository, commit }: InventoryRequest): Promise<string[]> {
  const tree = openTree(repository, commit);
  try {
    const files = (await new DependencyTree(tree).files()).slice(0, maxFiles);
    const ids = await listFiles(repository, commit);
    return await findMissing(repository, [...new Set(files.map(({ path }) => ids.get(path)!))]);
  } finally {
    await tree.close();
  }
}
