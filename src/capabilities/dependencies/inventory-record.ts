import type { OrganizationId, RepositoryId } from '../../lib/ids.ts';
import type { Severity } from '../../reviewer/finding-vocabulary.ts';
import type { Ecosystem } from '../../reviewer/review-report.ts';

/** A repository whose dependencies are kept. */
export interface InventoryKey {
  readonly organizationId: OrganizationId;
  readonly repositoryId: RepositoryId;
}

/** A package in one version, as used in one repository. */
export interface StoredPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
  readonly isFixed: boolean;
  readonly isDirect: boolean;
  readonly licence: string | null;
  readonly path: string;
  readonly advisories: readonly string[];
  readonly severity: Severity | null;
}

/** The last reading of a repository's dependencies. */
export interface StoredInventory {
  readonly repositoryId: RepositoryId;
  readonly providerRepositoryId: string;
  readonly repositoryName: string;
  readonly revision: string | null;
  readonly readAt: Date | null;
  readonly packages: number;
  readonly affected: number;
  readonly notes: readonly string[];
}
