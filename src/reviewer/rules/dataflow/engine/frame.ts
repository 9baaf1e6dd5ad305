import { clipWholeText } from '../../../../lib/sarif/clip-text.ts';
import type { FlowRule } from '../dataflow-table.ts';
import type { Expression, FlowFile, FlowFunction } from '../form.ts';
import type { LanguageTable, Need, Origin, Whose } from '../tables/model.ts';
import type { Memory } from './memory.ts';
import type { Callable, Label, Scope, Step, Value } from './value.ts';

/** The files that a run may read. */
export interface FlowProgram {
  readonly root: FlowFile;
  /** The files that an import leads to; none if it is not in the repository, or too far from the root. */
  imported(from: FlowFile, specifier: string): readonly FlowFile[];
  /** Other files that share a scope with the root, as those of a package in Go do. */
  readonly beside: readonly FlowFile[];
  tableOf(file: FlowFile): LanguageTable;
}

/** The function or file that is being run. */
export interface Frame {
  readonly scope: Scope;
  readonly file: FlowFile;
  readonly table: LanguageTable;
  /** The values that the current function has returned so far. */
  readonly returned: Value[];
  readonly callable: Callable | null;
}

/** A value at a sink: a place that is dangerous for untrusted values. */
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

/** The labelled values that have reached sinks. */
export interface HitsOfRun {
  /** Records the labels that reach a sink unsanitized. */
  reach(danger: Danger, frame: Frame): void;
  /** Applies the hits of a function's parameters to the arguments of a call. */
  apply(callable: Callable, given: readonly (Value | undefined)[], call: Step): void;
}

/** The interface of the engine for its parts. */
export interface Engine {
  readonly memory: Memory;
  readonly hits: HitsOfRun;
  readonly program: FlowProgram;
  /** The names of variables that have been checked. */
  readonly checked: Set<string>;
  /** The scopes of classes, which hold the value of `this`. */
  readonly classes: Map<string, Scope>;
  /** Records an import that was not followed, by the name of its value. */
  noteImport(name: string, specifiers: readonly string[]): void;
  /** Called if untrusted values are passed to something of this name. If it was imported, the import is worth following. */
  wantImport(name: string): void;
  /** Counts a step; throws if the limits of steps or time are exceeded. */
  step(): void;
  /** Evaluates an expression, including its side effects. */
  value(frame: Frame, expression: Expression): Value;
  /** The top-level scope of a file. The file is run once. */
  moduleScope(file: FlowFile): Scope;
  makeCallable(fn: FlowFunction, frame: Frame): Callable;
  /** Runs a function with given values for its parameters, or with a label for each unknown one. */
  evaluate(callable: Callable, given?: readonly (Value | undefined)[]): Value;
  labelled(origin: Origin, what: string, at: { readonly path: string; readonly line: number }): Value;
}

/** Quotes a name from the reviewed code in a message. */
export const quoted = (text: string) => clipWholeText(text.replace(/[`\s]+/g, ' '), 60);

/** The path of an expression, such as `req.query.name`; null if it does not consist of names. */
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
