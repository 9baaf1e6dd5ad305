import type { Definition } from './code-facts.ts';

/** The result of resolving an import. */
export type Resolution =
  | {
      readonly kind: 'file';
      readonly path: string;
      /** The same import can resolve to other files, on other systems or with other build conditions. */
      readonly isOneOfSeveral?: boolean;
    }
  /** A package that is not part of the repository. */
  | { readonly kind: 'package'; readonly name: string; readonly isDeclared: boolean }
  /** Part of the language or its runtime. */
  | { readonly kind: 'runtime' }
  /** It should be a file of the repository, at this path with or without an extension, but there is none. */
  | {
      readonly kind: 'missing';
      readonly wanted: string;
      /** Something outside the repository may provide it, unless it was a file of the repository before. */
      readonly mayBeElsewhere?: boolean;
    }
  /** It certainly does not exist: it is neither in the runtime, nor among the `exports` or `imports` of a package. */
  | { readonly kind: 'nowhere' }
  /** Unknown: created by a build, or resolved in a way that is not supported here. */
  | { readonly kind: 'unknown' };

/** The definition that a name refers to. */
export interface Target {
  readonly path: string;
  readonly name: string;
  /** Null if the file has the name, but its definition is unknown. */
  readonly definition: Definition | null;
}

/** A name that a file exports. */
export interface ExportedName {
  readonly path: string;
  readonly name: string;
}

/** The result of resolving a name: a definition, `missing` if every possible source of it is known, otherwise `unknown`. */
export type Found = Target | 'missing' | 'unknown';
