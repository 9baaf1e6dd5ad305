import type { Statement } from '../form.ts';
import { assignTo } from './assignments.ts';
import { type Engine, type Frame, pathOf } from './frame.ts';
import { applyGuards, guardsOf } from './guards.ts';
import { runThrough } from './members.ts';
import { Scope, unknown, type Value } from './value.ts';

/** Loops are run twice, so that the second round sees the values of the first. */
const rounds = 2;

/** Runs statements; returns whether they leave the enclosing block. */
export function runBlock(run: Engine, frame: Frame, statements: readonly Statement[]): boolean {
  // Functions can be called before their definition.
  for (const statement of statements) if (statement.kind === 'define') define(run, frame, statement);
  for (const statement of statements) if (runOne(run, frame, statement)) return true;
  return false;
}

function define(run: Engine, frame: Frame, { function: fn }: Extract<Statement, { kind: 'define' }>): void {
  const value: Value = { ...unknown, callable: run.makeCallable(fn, frame) };
  run.memory.set(frame.scope, fn.name, value);
}

function runOne(run: Engine, frame: Frame, statement: Statement): boolean {
  run.step();
  switch (statement.kind) {
    case 'do':
      run.value(frame, statement.value);
      return false;
    case 'assign':
      assignTo(
        run,
        frame,
        statement.target,
        run.value(frame, statement.value),
        statement.line,
        statement.isDeclared === true,
      );
      return false;
    case 'branch':
      return branch(run, frame, statement);
    case 'loop':
      loop(run, frame, statement);
      return false;
    case 'return':
      if (statement.value !== null)
        recordReturn(run, frame, run.value(frame, statement.value), statement.line);
      return true;
    case 'leave':
      if (statement.isOfLoop === true) run.memory.leaveLoop();
      return true;
    case 'define':
      return false;
    case 'class':
      defineClass(run, frame, statement);
      return false;
  }
}

function recordReturn(run: Engine, frame: Frame, value: Value, line: number): void {
  frame.returned.push(value);
  const rule = frame.callable === null ? null : (frame.table.returned?.(frame.callable.function) ?? null);
  if (rule === null || value.fields !== null) return;
  run.hits.reach(
    { rule, value, labels: value.labels, needs: [], from: 'requests', line, into: 'return' },
    frame,
  );
}

function branch(
  run: Engine,
  frame: Frame,
  { condition, whenTrue, whenFalse }: Extract<Statement, { kind: 'branch' }>,
): boolean {
  const test = condition === null ? unknown : run.value(frame, condition);
  if (test.constant !== undefined) return runBlock(run, frame, test.constant ? whenTrue : whenFalse);
  const guards = condition === null ? { whenTrue: [], whenFalse: [] } : guardsOf(run, frame, condition);
  const side = (checks: typeof guards.whenTrue, body: readonly Statement[]) => () => {
    applyGuards(run, frame, checks);
    return runBlock(run, frame, body);
  };
  return run.memory.branch(side(guards.whenTrue, whenTrue), side(guards.whenFalse, whenFalse));
}

function loop(
  run: Engine,
  frame: Frame,
  { over, condition, body }: Extract<Statement, { kind: 'loop' }>,
): void {
  const guards = condition === null ? null : guardsOf(run, frame, condition);
  run.memory.loop(() => {
    for (let round = 0; round < rounds; round += 1)
      run.memory.branch(
        () => {
          if (condition !== null) run.value(frame, condition);
          if (over !== null) {
            const of = run.value(frame, over.of);
            assignTo(run, frame, over.target, runThrough(of, over.isKeys, pathOf(over.of)), over.of.line);
          }
          if (guards !== null) applyGuards(run, frame, guards.whenTrue);
          runBlock(run, frame, body);
          return false;
        },
        () => false,
      );
  });
}

/** Defines a class, whose methods share one `this`. */
function defineClass(
  run: Engine,
  frame: Frame,
  { name, methods, body }: Extract<Statement, { kind: 'class' }>,
): void {
  // In Go, the methods of a type can be in several files of the package.
  const known = frame.file.language === 'go' ? run.classes.get(name) : undefined;
  const scope = known?.parent === frame.scope ? known : new Scope(frame.scope);
  const inner: Frame = { ...frame, scope };
  const callables = new Map(methods.map((method) => [method.name, run.makeCallable(method, inner)]));
  const fields = new Map<string, Value>([
    ...(scope.values.get('this')?.fields ?? []),
    ...[...callables].map(([each, callable]) => [each, { ...unknown, callable }] as const),
  ]);
  const instance: Value = { ...unknown, fields, name: frame.file.language === 'javascript' ? null : '@self' };
  for (const self of ['this', 'self', 'cls']) scope.values.set(self, instance);
  runBlock(run, inner, body);
  const maker = callables.get('constructor') ?? callables.get('__init__') ?? null;
  if (maker !== null) run.evaluate(maker);
  run.memory.set(frame.scope, name, { ...unknown, fields, callable: maker, name: `@class ${name}` });
  run.classes.set(name, scope);
}
