/** A parameter of a function, as its callers see it. */
export interface Parameter {
  readonly name: string;
  /** It has a default or may be left out. */
  readonly isOptional: boolean;
  /** It takes any number of arguments. */
  readonly isRest: boolean;
  /** Python: `keyword` can only be given by its name, `positional` only by its place. */
  readonly kind: 'any' | 'positional' | 'keyword';
  /** Whether the function works without it: it is not read, or its absence is dealt with. Decides in languages that do not check. */
  readonly isNeeded: boolean;
}

/** Something that a file defines and others can use. Lines start at 1. */
export interface Definition {
  /** With its class in front for methods: `Cart.total`. */
  readonly name: string;
  readonly kind: 'function' | 'method' | 'class' | 'value' | 'type';
  readonly startLine: number;
  readonly endLine: number;
  readonly isAsync: boolean;
  /** It does not say so, but what it returns may have to be waited for. */
  readonly mayBeAsync?: true;
  /** Null where it cannot be called, or its parameters cannot be told. */
  readonly parameters: readonly Parameter[] | null;
  /** A class or type that may have members which are not defined here. */
  readonly inherits?: true;
  /** Of a class or type: fields, which hold what they are given while the program runs; `*` where its objects may be of another. */
  readonly fields?: readonly string[];
  /** Of a method: it is asked of an object, which is or is not the first of its parameters; absent where the class is enough. */
  readonly receiver?: 'object' | 'parameter';
}

/** A name that a file gets from elsewhere. */
export interface Import {
  /** The name in this file; null where it brings all names of the other, or none, or only hands it on. */
  readonly local: string | null;
  /** As it is written: `./cart.ts`, `shop.cart`. */
  readonly from: string;
  /** The name there; `*` for the module as a whole, or all of its names; empty for an import for its effects alone. */
  readonly imported: string;
  readonly line: number;
  /** It vanishes when the program is built or runs. */
  readonly isType: boolean;
  /** Somebody expects that it may fail: inside `try`, or for type checkers only. */
  readonly isGuarded: boolean;
}

/** A name under which others can get something. */
export interface Export {
  readonly name: string;
  /** The definition or import of this file behind it; null where it comes straight from another file. */
  readonly local: string | null;
  /** Where it is handed on from, and its name there. `*` hands on everything, and then has the name `*`. */
  readonly from: string | null;
  readonly imported: string | null;
  readonly line: number;
  /** What has no other name in the file: `exports.load = () => …`. */
  readonly definition?: Definition;
}

export interface CallArguments {
  readonly count: number;
  /** Some of them cannot be counted: `f(...rest)`, `f(*rest)`, `f(**options)`. */
  readonly isOpen: boolean;
  readonly keywords: readonly string[];
}

/** What becomes of the result of a call; `stored` in a variable that may be waited for later, not where it never is. */
export type ResultUse = 'awaited' | 'handed_on' | 'stored' | 'used' | 'dropped';

/** A use of an import, or of a definition at the top of the file. */
export interface Use {
  readonly name: string;
  /** Of an import that nothing else of the file uses, or that it only hands on: where it comes from. Its name is then that there. */
  readonly from?: string;
  /** What is asked of it: `['total']` in `cart.total`. Empty for the thing itself. */
  readonly members: readonly string[];
  /** The last member is asked of an object of the class: one that was made there, or the one that the method around it has. */
  readonly of?: 'instance' | 'self';
  readonly line: number;
  /** Null where it is not called. */
  readonly call: CallArguments | null;
  readonly isNew: boolean;
  readonly result: ResultUse;
}

/** What can be told from the syntax of one file alone. */
export interface CodeFacts {
  readonly definitions: readonly Definition[];
  readonly imports: readonly Import[];
  readonly exports: readonly Export[];
  readonly uses: readonly Use[];
  /** It may give names that are made while the program runs, so that none can be called missing. */
  readonly hasOpenExports: boolean;
}
