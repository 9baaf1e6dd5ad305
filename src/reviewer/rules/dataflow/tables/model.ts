import type { FlowRule } from '../dataflow-table.ts';
import type { FlowFunction } from '../form.ts';

/** Who chooses a value: somebody who sends a request, who calls an exported function, or who starts or feeds the program. */
export type Origin = 'request' | 'parameter' | 'outside';

/**
 * What has to be true of a value before it is dangerous in a place. `sql`, `html`: its known parts look like it. `start`: the
 * label decides how it begins. `composed`: it was put into a text of the program. `whole`: it was not. `shell`: a shell is asked for.
 * `rootless`: no folder is named that holds it. `unsafe-loader`: none that reads plain data is named. `where`: it is the whole
 * condition, or code in it. `address`: of an object, the part that says where to. `text`: it is no collection. `program`: it
 * decides on the program, or is what a shell is given. `shell-list`: a shell is the program. `condition`: its known parts look like
 * one of a query. `response`: it is written into an answer.
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
 * Whose values matter: those of requests, of strangers (requests, files, arguments), of anybody, also who calls an exported
 * function, or of anybody who puts them into a text of the program.
 */
export type Whose = 'requests' | 'strangers' | 'anybody' | 'composed';

export interface Sink {
  readonly rule: FlowRule;
  /** `child_process.exec`, or `.query` of anything. */
  readonly calls: readonly string[];
  /** By place, or by name; `all` for any, `receiver` for what it is called on; from a place on, a list or the parts of a text. */
  readonly argument:
    | number
    | string
    | 'all'
    | 'receiver'
    | { readonly from: number; readonly as: 'list' | 'text' };
  readonly needs?: readonly Need[];
  /** By default, those of requests alone. */
  readonly from?: Whose;
}

/** What is known of a language and its frameworks. Names are those of modules: `child_process.exec`, `flask.request.args`. */
export interface LanguageTable {
  readonly sinks: readonly Sink[];
  /** Writing to such a member: `innerHTML`. */
  readonly writes: readonly {
    readonly rule: FlowRule;
    readonly names: RegExp;
    readonly needs?: readonly Need[];
  }[];
  readonly sources: readonly (readonly [name: RegExp, origin: Origin])[];
  /** Calls after which rules have nothing to say. */
  readonly cleaners: readonly (readonly [name: RegExp, rules: readonly FlowRule[] | 'all'])[];
  /** Calls whose results are made of what they are given, or called on. */
  readonly passing: RegExp;
  /** Calls that give back what they were given, or another name for it. */
  readonly same: RegExp;
  /** What calls of some names give: `express()` is an application. */
  readonly results: readonly (readonly [call: RegExp, name: string])[];
  /** Calls that take functions which get requests, and what those are given. */
  readonly handlers: readonly (readonly [call: RegExp, parameters: readonly (string | null)[]])[];
  /** Calls that fill their last argument with what they are given, or called on. */
  readonly fills?: RegExp;
  /** Values that stand for whole requests. */
  readonly requests?: RegExp;
  /** What a function must not give back, such as HTML of others to a browser. */
  returned?(of: FlowFunction): FlowRule | null;
  /** What a parameter is by its name, type, decorators, or those of its function; null where nothing is known. */
  parameter(of: FlowFunction, index: number): string | 'request value' | 'plain' | null;
}
