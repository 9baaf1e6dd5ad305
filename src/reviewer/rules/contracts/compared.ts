import type { ContractKind } from './contract-table.ts';
import type { Difference } from './difference.ts';

/** What became of one description. */
export interface ComparedContract {
  readonly path: string;
  readonly kind: ContractKind;
  readonly differences: readonly Difference[];
  /** A program makes it, by what its first lines say. */
  readonly isMade?: boolean;
}

/** What became of all descriptions of a kind, and sentences about those that could not be read. */
export interface ComparedContracts {
  readonly contracts: readonly ComparedContract[];
  readonly notes: readonly string[];
}

export const notRead = (path: string, why: string) =>
  `Not compared with what it was: ${path}, because ${why}`;
