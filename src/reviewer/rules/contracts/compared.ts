import type { ContractKind } from './contract-table.ts';
import type { Difference } from './difference.ts';

/** The changes of one interface description. */
export interface ComparedContract {
  readonly path: string;
  readonly kind: ContractKind;
  readonly differences: readonly Difference[];
  /** Whether a program generates it, judging by its path and content. */
  readonly isGenerated?: boolean;
}

/** The changes of all descriptions of one kind, and notes about those that could not be compared. */
export interface ComparedContracts {
  readonly contracts: readonly ComparedContract[];
  readonly notes: readonly string[];
}

export const notRead = (path: string, why: string) =>
  `Not compared with its previous version: ${path}, because ${why}`;
