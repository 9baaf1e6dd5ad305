import type { Definition } from './code-facts.ts';

/** Where an import leads. */
export type Resolution =
  | {
      readonly kind: 'file';
      readonly path: string;
      /** Others get another file by the same words, on other systems or by a build. */
      readonly isOneOfSeveral?: boolean;
    }
  /** A package that is not part of the repository. */
  | { readonly kind: 'package'; readonly name: string; readonly isDeclared: boolean }
  /** Part of the language or its runtime. */
  | { readonly kind: 'runtime' }
  /** It should be a file of the repository, at this path or one with an ending to it, and there is none. */
  | {
      readonly kind: 'missing';
      readonly wanted: string;
      /** Something outside of the repository may give it, unless it was a file of the repository before. */
      readonly mayBeElsewhere?: boolean;
    }
  /** Nothing has this name: neither the runtime, nor what the package that it names gives. */
  | { readonly kind: 'nowhere' }
  /** Cannot be told: made by a build, found in other ways than ours. */
  | { readonly kind: 'unknown' };

/** The definition that a name stands for. */
export interface Target {
  readonly path: string;
  readonly name: string;
  /** Null where the file gives the name, but what it is cannot be told. */
  readonly definition: Definition | null;
}

/** A name under which a file gives something. */
export interface Given {
  readonly path: string;
  readonly name: string;
}

/** What a name of a file leads to: a definition, nothing although all that could give it is known, or neither can be told. */
export type Found = Target | 'missing' | 'unknown';
