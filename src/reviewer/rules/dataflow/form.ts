/** The intermediate form that every language is translated into, and that the engine runs. Lines start at 1. */

export type Constant = string | number | boolean | null;

interface At {
  readonly line: number;
}

export type Expression = At &
  (
    | { readonly kind: 'constant'; readonly value: Constant }
    | { readonly kind: 'pattern'; readonly source: string }
    /** A value that another file or package exports; `*` for all of them. */
    | { readonly kind: 'import'; readonly from: string; readonly imported: string }
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'member'; readonly of: Expression; readonly name: string }
    | { readonly kind: 'element'; readonly of: Expression; readonly key: Expression }
    | CallExpression
    /** A concatenation of texts, such as a template literal. */
    | { readonly kind: 'text'; readonly parts: readonly Expression[] }
    | { readonly kind: 'operation'; readonly operator: Operator; readonly operands: readonly Expression[] }
    | { readonly kind: 'collection'; readonly entries: readonly Entry[]; readonly isList: boolean }
    | { readonly kind: 'function'; readonly function: FlowFunction }
    | {
        readonly kind: 'choice';
        readonly condition: Expression | null;
        readonly values: readonly Expression[];
      }
    | { readonly kind: 'assign'; readonly target: Target; readonly value: Expression }
    /** Anything else: its parts are run, but their values do not flow into its own. */
    | { readonly kind: 'other'; readonly parts: readonly Expression[] }
  );

export interface CallExpression extends At {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly given: readonly Expression[];
  /** Keyword arguments. */
  readonly named: readonly Entry[];
  readonly isNew: boolean;
}

// biome-ignore format: as they belong together
export const operators = [
  '+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', 'and', 'or', 'not', 'in', 'type',
] as const;
export type Operator = (typeof operators)[number];

/** A part of a collection. Its name is null if it is unknown, or if all parts of another collection are spread. */
export interface Entry {
  readonly name: string | null;
  readonly value: Expression;
  readonly isSpread?: true;
  /** A computed name. */
  readonly key?: Expression;
}

/** The target of an assignment. `apart` is a destructuring pattern: its parts are taken by name or index; null is the rest. */
export type Target =
  | Extract<Expression, { kind: 'name' | 'member' | 'element' }>
  | {
      readonly kind: 'apart';
      readonly parts: readonly { readonly name: string | null; readonly target: Target }[];
      readonly line: number;
    };

export type Statement = At &
  (
    | { readonly kind: 'do'; readonly value: Expression }
    /** `isDeclared`: the assignment declares a variable, which may shadow an outer one. */
    | {
        readonly kind: 'assign';
        readonly target: Target;
        readonly value: Expression;
        readonly isDeclared?: true;
      }
    | {
        readonly kind: 'branch';
        readonly condition: Expression | null;
        readonly whenTrue: readonly Statement[];
        readonly whenFalse: readonly Statement[];
      }
    /** `isKeys`: the loop is over the keys of a collection, not over its elements. */
    | {
        readonly kind: 'loop';
        readonly over: { readonly target: Target; readonly of: Expression; readonly isKeys: boolean } | null;
        readonly condition: Expression | null;
        readonly body: readonly Statement[];
      }
    | { readonly kind: 'return'; readonly value: Expression | null }
    /** Leaves the enclosing block by an error; with `isOfLoop`, by `break` or `continue`. */
    | { readonly kind: 'leave'; readonly isOfLoop?: true }
    | { readonly kind: 'define'; readonly function: FlowFunction }
    | {
        readonly kind: 'class';
        readonly name: string;
        readonly methods: readonly FlowFunction[];
        readonly body: readonly Statement[];
      }
  );

export interface FlowParameter {
  readonly target: Target;
  /** Its type as written in the code; empty if there is none. */
  readonly type: string;
  readonly decorators: readonly string[];
  readonly isRest: boolean;
  readonly standard: Expression | null;
}

export interface FlowFunction extends At {
  readonly name: string;
  readonly parameters: readonly FlowParameter[];
  readonly body: readonly Statement[];
  /** As written in the code: `app.route('/a')`. */
  readonly decorators: readonly string[];
  /** Whether callers outside of the program can call it, with any arguments. */
  readonly isExported: boolean;
}

/** A file in the intermediate form. */
export interface FlowFile {
  readonly path: string;
  readonly language: 'javascript' | 'python' | 'go';
  readonly body: readonly Statement[];
}

/** Deeper than real code nests; code below this depth is left out. */
export const maxDepth = 150;

export const nothing = (line: number): Expression => ({ kind: 'other', parts: [], line });
