import type { FlowRule } from '../dataflow-table.ts';
import type { FlowFunction } from '../form.ts';

/** Who chooses a value: the sender of a request, the caller of an exported function, or whoever starts or feeds the program. */
export type Origin = 'request' | 'parameter' | 'outside';

/**
 * What must be true of a value for it to be dangerous at a sink. `sql`, `html`, `condition`: its known parts look like SQL, HTML
 * or the condition of a query. `start`: the label decides how the text begins. `composed`: it was put into a text of the program.
 * `whole`: it was not. `shell`: the call asks for a shell. `program`: it decides on the program, or is a command for a shell.
 * `shell-list`: it is a command for a shell. `rootless`: the call names no folder that limits the path. `unsafe-loader`: the call
 * names no loader for plain data. `where`: it is the whole condition, or code in it. `address`: of an object, only the parts that
 * name the host count. `text`: it is no collection. `object`: the method is not one of a list or a regular expression.
 * `response`: it is written to a response.
 */
export type Need =
  | 'sql'
  | 'html'
  | 'start'
  | 'composed'
  | 'whole'
  | 'shell'
  | 'rootless'
  | 'unsafe-loader'
  | 'object'
  | 'where'
  | 'address'
  | 'text'
  | 'program'
  | 'shell-list'
  | 'condition'
  | 'response';

/**
 * Whose values count: those of requests; of strangers (requests, files, arguments); of anybody, including callers of exported
 * functions; or of anybody, but only if they are put into a text of the program.
 */
export type Whose = 'requests' | 'strangers' | 'anybody' | 'composed';

export interface Sink {
  readonly rule: FlowRule;
  /** Full names such as `child_process.exec`, or methods of any object such as `.query`. */
  readonly calls: readonly string[];
  /**
   * An index or a name; `all` for any, `receiver` for the object of a method; with `from`, all from an index on, as a list or as
   * parts of a text.
   */
  readonly argument:
    | number
    | string
    | 'all'
    | 'receiver'
    | { readonly from: number; readonly as: 'list' | 'text' };
  readonly needs?: readonly Need[];
  /** By default, only those of requests. */
  readonly from?: Whose;
}

/** The known names of a language and its frameworks. Names begin with the module: `child_process.exec`, `flask.request.args`. */
export interface LanguageTable {
  readonly sinks: readonly Sink[];
  /** Members that are sinks when assigned to, such as `innerHTML`. */
  readonly writes: readonly {
    readonly rule: FlowRule;
    readonly names: RegExp;
    readonly needs?: readonly Need[];
  }[];
  readonly sources: readonly (readonly [name: RegExp, origin: Origin])[];
  /** Calls that sanitize their arguments for some rules. */
  readonly cleaners: readonly (readonly [name: RegExp, rules: readonly FlowRule[] | 'all'])[];
  /** Calls whose results are derived from their arguments or their receiver. */
  readonly passing: RegExp;
  /** Calls that return their first argument, possibly under another name. */
  readonly same: RegExp;
  /** The names of results of calls: `express()` is an application. */
  readonly results: readonly (readonly [call: RegExp, name: string])[];
  /** Calls that take handlers of requests, and the names of the handlers' parameters. */
  readonly handlers: readonly (readonly [call: RegExp, parameters: readonly (string | null)[]])[];
  /** Calls that fill their last argument from the other arguments or the receiver. */
  readonly fills?: RegExp;
  /** The names of values that are whole requests. */
  readonly requests?: RegExp;
  /** The rule for untrusted values that a function returns, such as HTML to a browser; null if it may return them. */
  returned?(of: FlowFunction): FlowRule | null;
  /**
   * The name of a parameter's value, judging by its name, type and decorators, and by the decorators of its function; `plain` if
   * it is harmless, null if nothing is known.
   */
  parameter(of: FlowFunction, index: number): string | 'request value' | 'plain' | null;
}
