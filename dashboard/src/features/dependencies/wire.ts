import type { z } from 'zod';
import type { dependencyPage, inventoryPage } from '../../../../src/capabilities/dependencies/schemas.ts';

export type PackagePage = z.output<typeof dependencyPage>;
export type ListedPackage = PackagePage['data'][number];
export type InventoryPage = z.output<typeof inventoryPage>;
export type Inventory = InventoryPage['data'][number];

const inOrder: Readonly<Record<ListedPackage['ecosystem'], true>> = {
  npm: true,
  PyPI: true,
  Go: true,
  'crates.io': true,
  Maven: true,
  RubyGems: true,
  Packagist: true,
  NuGet: true,
  'GitHub Actions': true,
};
export const ecosystems = Object.keys(inOrder);
