import type { FlowRule } from '../dataflow-table.ts';
import type { Expression, FlowFile, FlowFunction } from '../form.ts';
import type { LanguageTable, Need, Origin, Whose } from '../tables/model.ts';
import type { Memory } from './memory.ts';
import type { Callable, Label, Scope, Value } from './value.ts';

/** What a run may look at. */
export interface FlowProgram {
  readonly root: FlowFile;
  /** The file that an import of a file leads to; undefined where it is none of the repository, or too far away. */
  imported(from: FlowFile, specifier: string): readonly FlowFile[];
  /** Other files that share their names with the root. */
  readonly beside: readonly FlowFile[];
  tableOf(file: FlowFile): LanguageTable;
}

/** Where the engine is. */
export interface Frame {
  readonly scope: Scope;
  readonly file: FlowFile;
  readonly table: LanguageTable;
  /** What the function around gives back. */
  readonly returned: Value[];
  readonly callable: Callable | null;
}

/** A value in a place that is dangerous for some values. */
export interface Danger {
  readonly rule: FlowRule;
  readonly value: Value;
  readonly labels: readonly Label[];
  readonly needs: readonly Need[];
  readonly from: Whose;
  readonly line: number;
  readonly into: string;
  readonly pattern?: string;
}

/** What the parts of the engine ask of it as a whole. */
export interface Engine {
  readonly memory: Memory;
  readonly program: FlowProgram;
  /** The names about which checks have said something. */
  readonly checked: Set<string>;
  /** The scopes of classes, where what is kept in `this` is. */
  readonly classes: Map<string, Scope>;
  /** Remembers what an import that was not followed is called. */
  noteImport(name: string, specifiers: readonly string[]): void;
  /** Values of others are given to something of this name: if it was imported, it is worth following. */
  wantImport(name: string): void;
  /** Called for everything that is looked at; ends what takes too long. */
  step(): void;
  /** What is known of an expression; what it does is done. */
  value(frame: Frame, expression: Expression): Value;
  /** The names of a file; it is run once. */
  moduleScope(file: FlowFile): Scope;
  makeCallable(fn: FlowFunction, frame: Frame): Callable;
  /** Runs a function with what is known of its parameters: given values, or labels of their own. */
  evaluate(callable: Callable, given?: readonly (Value | undefined)[]): Value;
  labelled(origin: Origin, what: string, at: { readonly path: string; readonly line: number }): Value;
  /** Remembers what reached a dangerous place. */
  reach(danger: Danger, frame: Frame): void;
  /** What is given to a function in a call, by what the function does with it. */
  applyHits(callable: Callable, labelsOf: (label: Label) => readonly Label[]): void;
}

/** Names of foreign code in a text for people. */
export const quoted = (text: string) => text.replace(/[`\s]+/g, ' ').slice(0, 60);

/** `req.query.name`; null where it is not written as names alone. */
export function pathOf(expression: Expression, depth = 6): string | null {
  if (depth === 0) return null;
  if (expression.kind === 'name') return expression.name;
  if (expression.kind === 'member') {
    const of = pathOf(expression.of, depth - 1);
    return of === null ? null : `${of}.${expression.name}`;
  }
  if (expression.kind === 'element') {
    const of = pathOf(expression.of, depth - 1);
    const key = expression.key.kind === 'constant' ? String(expression.key.value) : pathOf(expression.key, 2);
    return of === null || key === null ? null : `${of}[${key}]`;
  }
  return null;
}
