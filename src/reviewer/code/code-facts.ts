/** A parameter of a function, as its callers see it. */
export interface Parameter {
  readonly name: string;
  /** It has a default or may be omitted. */
  readonly isOptional: boolean;
  /** It takes any number of arguments. */
  readonly isRest: boolean;
  /** Python: `keyword` can only be passed by name, `positional` only by position. */
  readonly kind: 'any' | 'positional' | 'keyword';
  /** Whether the function fails without it, because it reads it unchecked. Used for languages that do not check calls. */
  readonly isNeeded: boolean;
}

/** A definition in a file that other code can use. Lines start at 1. */
export interface Definition {
  /** With the class as its prefix for methods: `Cart.total`. */
  readonly name: string;
  readonly kind: 'function' | 'method' | 'class' | 'value' | 'type';
  readonly startLine: number;
  readonly endLine: number;
  readonly isAsync: boolean;
  /** Not declared as async, but it may return a promise. */
  readonly mayBeAsync?: true;
  /** Null if it cannot be called, or its parameters are unknown. */
  readonly parameters: readonly Parameter[] | null;
  /** A class or type that may have members that are defined elsewhere. */
  readonly inherits?: true;
  /** Of a class or type: fields, whose values are assigned at run time; `*` if its objects may be of another class. */
  readonly fields?: readonly string[];
  /** Of a method that needs an object: `parameter` if that is its first parameter. Absent for static methods. */
  readonly receiver?: 'object' | 'parameter';
}

/** A name that a file imports. */
export interface Import {
  /** The name in this file; null if it imports all names, or none, or only re-exports it. */
  readonly local: string | null;
  /** The module as written: `./cart.ts`, `shop.cart`. */
  readonly from: string;
  /** The name in that module; `*` for the module as a whole or all its names; empty for an import for side effects only. */
  readonly imported: string;
  readonly line: number;
  /** A type-only import, which is erased when the program is built or run. */
  readonly isType: boolean;
  /** The code expects that it may fail: inside `try`, or for type checkers only. */
  readonly isGuarded: boolean;
}

/** A name that a file exports. */
export interface Export {
  readonly name: string;
  /** The definition or import of this file behind it; null if it is re-exported straight from another file. */
  readonly local: string | null;
  /** The module that it is re-exported from, and the name there. A re-export of everything has the name `*`. */
  readonly from: string | null;
  readonly imported: string | null;
  readonly line: number;
  /** A definition without another name in the file: `exports.load = () => …`. */
  readonly definition?: Definition;
}

export interface CallArguments {
  readonly count: number;
  /** Their number is unknown: `f(...rest)`, `f(*rest)`, `f(**options)`. */
  readonly isOpen: boolean;
  readonly keywords: readonly string[];
}

/** What happens to the result of a call. `stored`: in a variable that may be awaited later; otherwise that counts as `used`. */
export type ResultUse = 'awaited' | 'passed_on' | 'stored' | 'used' | 'dropped';

/** A use of an import, or of a definition at the top of the file. */
export interface Use {
  readonly name: string;
  /** Set for an import that the file only re-exports or never uses: its module. `name` is then the name in that module. */
  readonly from?: string;
  /** The members that are accessed: `['total']` in `cart.total`. Empty if the name itself is used. */
  readonly members: readonly string[];
  /** Set if the last member is accessed on an object of the class: an instance of it, or that of the surrounding method. */
  readonly of?: 'instance' | 'self';
  readonly line: number;
  /** Null if it is not called. */
  readonly call: CallArguments | null;
  readonly isNew: boolean;
  readonly result: ResultUse;
}

/** Facts that follow from the syntax of a single file. */
export interface CodeFacts {
  readonly definitions: readonly Definition[];
  readonly imports: readonly Import[];
  readonly exports: readonly Export[];
  readonly uses: readonly Use[];
  /** The file may export names that are created at run time, so that no name can be called missing. */
  readonly hasOpenExports: boolean;
}
