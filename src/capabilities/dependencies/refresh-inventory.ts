import { partAt, partsOf, type RunPart } from '../../reviewer/process/part.ts';
import { openRepository, placeOf } from '../../reviewer/repository/repository.ts';
import type { Inventory } from '../../reviewer/rules/dependencies/inventory/list-packages.ts';
import type { AffectedVersion } from '../../reviewer/rules/dependencies/osv/affected-part.ts';
import type { FindAdvisories } from '../../reviewer/rules/dependencies/osv/find-advisories.ts';
import { packageKey } from '../../reviewer/rules/dependencies/osv/package-key.ts';
import { type HostDeps, withHost } from '../connections/open-host.ts';
import { findServingConnection, type ServedRepository } from '../connections/reading/serving-connection.ts';
import { tipRef } from '../reviews/mirror/fetch-objects.ts';
import type { ReadingDeps } from '../reviews/mirror/pull-request-commits.ts';
import { findCommit } from '../reviews/mirror/revisions.ts';
import type { InventoryKey } from './inventory-record.ts';
import { findRead, type PackagePosition, readPackages, storeAffected, storeInventory } from './store.ts';

export interface RefreshDeps extends HostDeps, ReadingDeps {
  readonly findAdvisories: FindAdvisories;
  /** Called after a default branch that has moved was read; `findPresent` tells which files and folders exist in it. */
  readonly onBranchRead: (
    key: InventoryKey,
    findPresent: (paths: readonly string[]) => Promise<string[]>,
  ) => Promise<void>;
}

const inventoryFolder = '../../reviewer/rules/dependencies';
const lackingPart = partAt<
  typeof import('../../reviewer/rules/dependencies/inventory/lacking-files-part.ts')
>(`${inventoryFolder}/inventory/lacking-files-part`, import.meta.url);
const inventoryPart = partAt<typeof import('../../reviewer/rules/dependencies/inventory/inventory-part.ts')>(
  `${inventoryFolder}/inventory/inventory-part`,
  import.meta.url,
);
const presentPart = partAt<typeof import('./present-paths-part.ts')>('./present-paths-part', import.meta.url);
const affectedPart = partAt<typeof import('../../reviewer/rules/dependencies/osv/affected-part.ts')>(
  `${inventoryFolder}/osv/affected-part`,
  import.meta.url,
);

/** The default branch is read daily, and additionally soon after a merge. */
const dayMs = 24 * 60 * 60_000;
const packagesAtOnce = 2_000;

/**
 * Reads the dependencies of a repository if its default branch has moved, and matches them with advisories. If no reviewing
 * connection serves the repository any more, its inventory is deleted, since it could not be kept up to date.
 */
export async function refreshInventory(
  deps: RefreshDeps,
  key: InventoryKey,
  signal: AbortSignal,
): Promise<void> {
  const { database, processes, clock } = deps;
  const { organizationId, repositoryId } = key;
  const known = await findRead(database.sql, key);
  if (known === undefined) return;
  const served = await findServingConnection(database.sql, organizationId, repositoryId);
  if (served?.connection.review !== 'on') {
    await database.sql`
      DELETE FROM repository_inventories WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId}`;
    return;
  }
  const startedAt = clock();
  const run = partsOf(processes, { group: organizationId, signal });
  const read = await readBranch(deps, served, { key, ...known }, run, signal);
  if (read !== 'unchanged')
    await database.transaction((tx) => storeInventory(tx, key, read.revision, read.inventory));
  await judge(deps, key, run);
  await database.sql`
    UPDATE repository_inventories
    SET read_at = ${startedAt}, due_at = ${new Date(startedAt.getTime() + dayMs)}
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId}`;
}

type ReadBranch = 'unchanged' | { readonly revision: string | null; readonly inventory: Inventory };

/** Fetches only the newest commit with its manifests and lock files. */
async function readBranch(
  deps: RefreshDeps,
  { connection, repository }: ServedRepository,
  known: { readonly key: InventoryKey; readonly revision: string | null; readonly readAt: Date | null },
  run: RunPart,
  signal: AbortSignal,
): Promise<ReadBranch> {
  const { providerRepositoryId: id, fullName } = repository;
  return withHost(deps, connection.id, async (host) => {
    const source = await host.cloneSource({ id, fullName }, 0);
    return deps.mirrors.glance(source, async (copy): Promise<ReadBranch> => {
      const tip = await copy.readTip(signal);
      if (known.readAt !== null && (tip ?? null) === known.revision) return 'unchanged';
      if (tip === undefined) return { revision: null, inventory: { packages: [], notes: [] } };
      await copy.fetchTip(signal);
      const opened = await openRepository(copy.folder, { searchPath: deps.searchPath, signal });
      try {
        // The branch may have moved again since the tip was read.
        const commit = (await findCommit(opened, tipRef)) ?? tip;
        const request = { repository: placeOf(opened), commit };
        const lacking = await run(lackingPart, request);
        if (lacking.length > 0) await copy.fetchById(lacking, signal);
        await deps.onBranchRead(known.key, (paths) => run(presentPart, { ...request, paths }));
        return { revision: commit, inventory: await run(inventoryPart, request) };
      } finally {
        await opened.close();
      }
    });
  });
}

/** Matches pinned versions with the imported advisories. */
async function judge(
  { database, findAdvisories }: RefreshDeps,
  key: InventoryKey,
  run: RunPart,
): Promise<void> {
  const affected: AffectedVersion[] = [];
  for (let after: PackagePosition | undefined; ; ) {
    const versions = await readPackages(database.sql, key, after, packagesAtOnce);
    const fixed = versions
      .filter(({ isFixed }) => isFixed)
      .map(({ ecosystem, name, version }) => ({ ecosystem, name, version }));
    const names = fixed.map(({ ecosystem, name }) => ({ ecosystem, name: packageKey(ecosystem, name) }));
    const known = names.length === 0 ? null : await findAdvisories(names);
    if (known !== null && known.advisories.length > 0)
      affected.push(...(await run(affectedPart, { versions: fixed, advisories: known.advisories })));
    if (versions.length < packagesAtOnce) break;
    after = versions.at(-1);
  }
  await database.transaction((tx) => storeAffected(tx, key, affected));
}
