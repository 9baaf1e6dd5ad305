import { threadMs } from '../../../../lib/concurrency/thread-time.ts';
import type { FlowRule } from '../dataflow-table.ts';
import type { Expression, FlowFile, FlowFunction } from '../form.ts';
import type { LanguageTable } from '../tables/model.ts';
import { assignTo } from './assignments.ts';
import { evaluate } from './expressions.ts';
import { type Engine, type FlowProgram, type Frame, quoted } from './frame.ts';
import { Memory } from './memory.ts';
import { runBlock } from './statements.ts';
import { Hits } from './summaries.ts';
import {
  type Callable,
  type Hit,
  join,
  type Label,
  named,
  Scope,
  type Step,
  unknown,
  type Value,
} from './value.ts';

/** The limit of steps or time is exceeded. */
class LimitExceeded extends Error {}

const maxStepsOfFunction = 60_000;
const maxSteps = 1_500_000;
/** Processor time, for a function and for a file. */
const maxMsOfFunction = 400;
const maxMs = 4_000;
const maxDepthOfCalls = 12;
const maxCallables = 5_000;

/** Follows values through one file, and the functions that it uses. */
export class FlowRun implements Engine {
  readonly checked = new Set<string>();
  readonly memory = new Memory();
  readonly program: FlowProgram;
  readonly hits = new Hits();
  readonly classes = new Map<string, Scope>();
  /** The specifiers of imports that are worth following. */
  readonly wanted = new Set<string>();
  /** The names in those imports, or in files with the same scope, that untrusted values are passed to. */
  readonly wantedNames = new Set<string>();
  readonly #notFollowed = new Map<string, readonly string[]>();
  readonly #callables: Callable[] = [];
  readonly #modules = new Map<FlowFile, Scope>();
  readonly #end = threadMs() + maxMs;
  #steps = 0;
  #limit = { steps: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY };
  #depth = 0;
  /** False if a limit ended the work early. */
  isWhole = true;

  constructor(program: FlowProgram) {
    this.program = program;
  }

  /** Runs the root and its functions, and returns the hits that are worth reporting. */
  find(): readonly Hit[] {
    this.moduleScope(this.program.root);
    for (const file of this.program.beside) this.moduleScope(file);
    this.#markExported(this.moduleScope(this.program.root));
    // Running a function may create more functions.
    for (let at = 0; at < this.#callables.length; at += 1) {
      const callable = this.#callables[at]!;
      if (callable.file === this.program.root || callable.isExported) this.evaluate(callable);
    }
    this.#markExported(this.moduleScope(this.program.root));
    return this.hits.found.filter(({ label: { origin, parameter, isComposed }, from }) => {
      if (parameter === null && origin === 'request') return true;
      const isForAnybody = from === 'anybody' || (from === 'composed' && isComposed);
      if (parameter === null) return isForAnybody || from === 'strangers';
      // Fields of Go structs are set by the program far more often than by callers.
      if (parameter.of.file.language === 'go' && parameter.path.some((part) => part !== '*')) return false;
      return isForAnybody && parameter.of.isExported && parameter.of.file === this.program.root;
    });
  }

  step(): void {
    this.#steps += 1;
    if (this.#steps > this.#limit.steps || this.#steps > maxSteps) throw new LimitExceeded();
    if (this.#steps % 500 === 0 && threadMs() > this.#limit.end) throw new LimitExceeded();
  }

  /** Does work within the limits. If they are exceeded, the results so far are kept. */
  #within(work: () => void): void {
    const outer = this.#limit;
    this.#limit = {
      steps: Math.min(outer.steps, this.#steps + maxStepsOfFunction),
      end: Math.min(outer.end, this.#end, threadMs() + maxMsOfFunction),
    };
    try {
      work();
    } catch (error) {
      // A `RangeError` is a stack overflow because of extreme nesting.
      if (!(error instanceof LimitExceeded || error instanceof RangeError)) throw error;
      this.isWhole = false;
    } finally {
      this.#limit = outer;
    }
  }

  moduleScope(file: FlowFile): Scope {
    const known = this.#modules.get(file);
    if (known !== undefined) return known;
    // Files of one Go package share a scope.
    const { beside, root } = this.program;
    const shared = beside.includes(file) ? this.moduleScope(root) : null;
    const scope = shared ?? new Scope(null);
    // Defined here, so that assignments in functions go to the scope of the module.
    if (shared === null)
      for (const name of ['this', 'module', 'exports'])
        scope.values.set(name, name === 'this' ? unknown : named(name));
    this.#modules.set(file, scope);
    const frame = { scope, file, table: this.program.tableOf(file), returned: [], callable: null };
    this.#within(() => runBlock(this, frame, file.body));
    return scope;
  }

  value(frame: Frame, expression: Expression): Value {
    return evaluate(this, frame, expression);
  }

  noteImport(name: string, specifiers: readonly string[]): void {
    this.#notFollowed.set(name, specifiers);
  }

  wantImport(name: string): void {
    this.wantedNames.add(name.slice(name.lastIndexOf('.') + 1).replace(/\(.*/, ''));
    for (const [imported, specifiers] of this.#notFollowed)
      if (name === imported || name.startsWith(`${imported}.`) || name.startsWith(`${imported}(`))
        for (const specifier of specifiers) this.wanted.add(specifier);
  }

  makeCallable(fn: FlowFunction, { scope, file }: Frame): Callable {
    const callable: Callable = {
      id: this.#callables.length,
      function: fn,
      file,
      scope,
      isExported: fn.isExported,
      state: 'new',
      returns: unknown,
      reached: new Map(),
    };
    if (this.#callables.length < maxCallables) this.#callables.push(callable);
    return callable;
  }

  evaluate(callable: Callable, given?: readonly (Value | undefined)[]): Value {
    if (callable.state !== 'new' || this.#depth >= maxDepthOfCalls) return callable.returns;
    callable.state = 'running';
    this.#depth += 1;
    const reachedBefore = callable.reached.size;
    this.#within(() => this.#runBody(callable, given));
    // The function called itself with objects found by untrusted keys, so it is run again with this knowledge.
    if (callable.reached.size > reachedBefore) this.#within(() => this.#runBody(callable, given));
    this.#depth -= 1;
    callable.state = 'done';
    return callable.returns;
  }

  #runBody(callable: Callable, given: readonly (Value | undefined)[] | undefined): void {
    const { function: fn, file } = callable;
    const table = this.program.tableOf(file);
    const frame: Frame = { scope: new Scope(callable.scope), file, table, returned: [], callable };
    for (const [index, { target }] of fn.parameters.entries()) {
      const what = given?.[index] ?? this.#parameterValue(callable, index, table);
      const reached = callable.reached.get(index) ?? null;
      const value = reached === null ? what : { ...what, reached };
      declareAll(this, frame, target);
      assignTo(this, frame, target, value, fn.line, true);
    }
    runBlock(this, frame, fn.body);
    callable.returns = frame.returned.reduce((one, other) => join(one, other), callable.returns);
  }

  #parameterValue(callable: Callable, index: number, table: LanguageTable): Value {
    const fn = callable.function;
    const { target, isRest } = fn.parameters[index]!;
    const known = table.parameter(fn, index);
    if (known === 'plain') return unknown;
    const what = target.kind === 'name' ? target.name : `${fn.name || 'the function'}()`;
    const path = callable.file.path;
    if (known === 'request value') return this.labelled('request', what, { path, line: target.line });
    if (known !== null) return named(known);
    const label: Label = {
      ...plainLabel,
      origin: 'parameter',
      what,
      parameter: { of: callable, index, path: isRest ? ['*'] : [] },
      steps: [
        {
          path,
          line: target.line,
          text: `\`${quoted(what)}\` is passed to \`${quoted(fn.name || 'the function')}\``,
        },
      ],
    };
    return { ...unknown, labels: [label] };
  }

  labelled(origin: Label['origin'], what: string, at: { path: string; line: number }): Value {
    const from = { request: 'a request', parameter: 'the caller', outside: 'outside of the program' }[origin];
    const step: Step = { ...at, text: `\`${quoted(what)}\` comes from ${from}` };
    return { ...unknown, labels: [{ ...plainLabel, origin, what, steps: [step] }] };
  }

  /** Marks functions that are exported by `module.exports` and the like. */
  #markExported(scope: Scope): void {
    const seen = new Set<Value>();
    const mark = (value: Value | undefined, depth: number) => {
      if (value === undefined || depth === 0 || seen.has(value)) return;
      seen.add(value);
      if (value.callable !== null && value.callable.file === this.program.root) {
        value.callable.isExported = true;
        mark(value.callable.returns, depth - 1);
      }
      for (const field of value.fields?.values() ?? []) mark(field, depth - 1);
    };
    mark(scope.values.get('module')?.fields?.get('exports'), 5);
    mark(scope.values.get('exports'), 5);
  }
}

/** Declares a parameter, so that it shadows outer variables of the same name. */
function declareAll(run: FlowRun, frame: Frame, target: FlowFunction['parameters'][number]['target']): void {
  if (target.kind === 'name') run.memory.set(frame.scope, target.name, unknown);
  else if (target.kind === 'apart') for (const part of target.parts) declareAll(run, frame, part.target);
}

const plainLabel = {
  parameter: null,
  cleaned: new Set<FlowRule>(),
  isStart: true,
  isComposed: false,
  keysOf: null,
} as const;
