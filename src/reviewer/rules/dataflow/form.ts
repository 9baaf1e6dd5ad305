/** The one form that every language is translated into, and that the engine runs. Lines start at 1. */

export type Constant = string | number | boolean | null;

interface At {
  readonly line: number;
}

export type Expression = At &
  (
    | { readonly kind: 'constant'; readonly value: Constant }
    | { readonly kind: 'pattern'; readonly source: string }
    /** What another file or package gives; `*` for all of it. */
    | { readonly kind: 'import'; readonly from: string; readonly imported: string }
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'member'; readonly of: Expression; readonly name: string }
    | { readonly kind: 'element'; readonly of: Expression; readonly key: Expression }
    | CallExpression
    /** A text made of parts. */
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
    /** Whatever it is, nothing of its parts is handed on by it. */
    | { readonly kind: 'other'; readonly parts: readonly Expression[] }
  );

export interface CallExpression extends At {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly given: readonly Expression[];
  /** Arguments by name. */
  readonly named: readonly Entry[];
  readonly isNew: boolean;
}

// biome-ignore format: as they belong together
export const operators = [
  '+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', 'and', 'or', 'not', 'in', 'type',
] as const;
export type Operator = (typeof operators)[number];

/** A part of a collection; null where its name is not known, or everything of another collection is meant. */
export interface Entry {
  readonly name: string | null;
  readonly value: Expression;
  readonly isSpread?: true;
  /** A name that is computed. */
  readonly key?: Expression;
}

/** What a value is given to. `apart` takes it apart: by name, by place, or what is left (null). */
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
    /** `isDeclared`: a name of this function, whatever has the same name outside. */
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
    /** `keys`: the names in a collection are run through, not what is kept under them. */
    | {
        readonly kind: 'loop';
        readonly over: { readonly target: Target; readonly of: Expression; readonly isKeys: boolean } | null;
        readonly condition: Expression | null;
        readonly body: readonly Statement[];
      }
    | { readonly kind: 'return'; readonly value: Expression | null }
    /** Ends what is around it: an error, or, of a loop, this round. */
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
  /** Its type as it is written; empty where there is none. */
  readonly type: string;
  /** Decorators as they are written. */
  readonly decorators: readonly string[];
  readonly isRest: boolean;
  readonly standard: Expression | null;
}

export interface FlowFunction extends At {
  readonly name: string;
  readonly parameters: readonly FlowParameter[];
  readonly body: readonly Statement[];
  /** As they are written: `app.route('/a')`. */
  readonly decorators: readonly string[];
  /** Others can call it with what they like. */
  readonly isExported: boolean;
}

/** A file in this form. */
export interface FlowFile {
  readonly path: string;
  readonly language: 'javascript' | 'python' | 'go';
  readonly body: readonly Statement[];
}

/** Deeper than anybody nests; what is below is left out. */
export const maxDepth = 150;

export const nothing = (line: number): Expression => ({ kind: 'other', parts: [], line });
