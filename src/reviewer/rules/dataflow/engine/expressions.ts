import type { FlowRule } from '../dataflow-table.ts';
import type { Entry, Expression } from '../form.ts';
import { assignTo } from './assignments.ts';
import { call } from './calls.ts';
import { fold } from './constants.ts';
import { type Engine, type Frame, pathOf } from './frame.ts';
import { applyGuards, guardsOf } from './guards.ts';
import { importValue } from './imports.ts';
import { elementOf, memberOf } from './members.ts';
import { cleanPrefix, sourceKey } from './memory.ts';
import {
  allLabels,
  cleanedOf,
  composed,
  formatted,
  join,
  type Label,
  madeOf,
  named,
  ofConstant,
  Scope,
  unknown,
  type Value,
} from './value.ts';

/** Evaluates an expression, including its side effects. */
export function evaluate(run: Engine, frame: Frame, expression: Expression): Value {
  run.step();
  switch (expression.kind) {
    case 'constant':
      return ofConstant(expression.value);
    case 'pattern':
      return { ...unknown, name: '@pattern', shape: expression.source };
    case 'import':
      return importValue(run, frame, expression.from, expression.imported);
    case 'name':
      return checked(
        frame,
        expression,
        frame.scope.get(expression.name) ?? globalOf(run, frame, expression.name, expression.line),
      );
    case 'member':
      return checked(
        frame,
        expression,
        memberOf(run, frame, run.value(frame, expression.of), expression.name, expression.line),
      );
    case 'element': {
      const of = run.value(frame, expression.of);
      return checked(
        frame,
        expression,
        elementOf(run, frame, of, run.value(frame, expression.key), expression.line),
      );
    }
    case 'call':
      return call(run, frame, expression);
    case 'text':
      return composed(expression.parts.map((part) => run.value(frame, part)));
    case 'operation':
      return operation(run, frame, expression);
    case 'collection':
      return collection(run, frame, expression.entries, expression.isList);
    case 'function': {
      const { name } = expression.function;
      // A named function expression can call itself by its name, unless an outer variable has the same name.
      const scope = name === '' || frame.scope.get(name) !== undefined ? frame.scope : new Scope(frame.scope);
      const value = { ...unknown, callable: run.makeCallable(expression.function, { ...frame, scope }) };
      if (scope !== frame.scope) scope.values.set(name, value);
      return value;
    }
    case 'choice':
      return choice(run, frame, expression);
    case 'assign': {
      const value = run.value(frame, expression.value);
      assignTo(run, frame, expression.target, value, expression.line);
      return value;
    }
    case 'other':
      for (const part of expression.parts) run.value(frame, part);
      return unknown;
  }
}

/** An undeclared name is a global of the environment. */
function globalOf(run: Engine, frame: Frame, name: string, line: number): Value {
  const source = frame.table.sources.find(([names]) => names.test(name));
  if (source !== undefined) return run.labelled(source[1], name, { path: frame.file.path, line });
  return named(name);
}

/** Removes the dangers that earlier checks of the value, or of the value it was made from, have ruled out. */
function checked(frame: Frame, expression: Expression, value: Value): Value {
  if (value.labels.length === 0 && value.reached === null) return value;
  const path = pathOf(expression);
  const rules = path === null ? null : markedRules(frame, path);
  const own = rules === null ? value : cleanedOf(value, rules);
  if (own.labels.every((label) => markedRules(frame, sourceKey(label)) === null)) return own;
  const labels = own.labels.flatMap((label): Label[] => {
    const of = markedRules(frame, sourceKey(label));
    return of === null
      ? [label]
      : of === 'all'
        ? []
        : [{ ...label, cleaned: new Set([...label.cleaned, ...of]) }];
  });
  return { ...own, labels };
}

function markedRules(frame: Frame, key: string): readonly FlowRule[] | 'all' | null {
  const mark = frame.scope.get(cleanPrefix + key);
  return mark === undefined ? null : mark.shape === 'all' ? 'all' : (mark.shape.split(' ') as FlowRule[]);
}

function operation(run: Engine, frame: Frame, expression: Extract<Expression, { kind: 'operation' }>): Value {
  const { operator, operands } = expression;
  const values = operands.map((operand) => run.value(frame, operand));
  const folded = fold(
    operator,
    values.map(({ constant }) => constant),
  );
  if (folded !== undefined) return ofConstant(folded);
  // `+` may concatenate texts. The results of other arithmetic are numbers, which are harmless.
  if (operator === '+') return composed(values);
  if (operator === '%' && values[0]!.shape.includes('%')) return composed(formatted(values));
  if (operator === 'or' || operator === 'and') return values.reduce((a, b) => join(a, b));
  return unknown;
}

function collection(run: Engine, frame: Frame, entries: readonly Entry[], isList: boolean): Value {
  const fields = new Map<string, Value>();
  let [rest, isWhole] = [unknown, true];
  for (const { name, value, isSpread, key } of entries) {
    const own = run.value(frame, value);
    const computed = key === undefined ? null : run.value(frame, key);
    const known =
      name ??
      (typeof computed?.constant === 'string' || typeof computed?.constant === 'number'
        ? String(computed.constant)
        : null);
    if (isSpread === true) {
      for (const [each, field] of isList ? [] : (own.fields ?? [])) fields.set(each, field);
      rest = { ...rest, labels: [...rest.labels, ...(isList ? allLabels(own) : own.labels)] };
      isWhole = false;
    } else if (known !== null) fields.set(known, own);
    else if (isList) fields.set(String(fields.size), own);
    else rest = madeOf([rest, own]);
  }
  return { ...unknown, labels: rest.labels, fields, isList: isList && isWhole };
}

function choice(
  run: Engine,
  frame: Frame,
  { condition, values }: Extract<Expression, { kind: 'choice' }>,
): Value {
  if (condition === null) return values.map((value) => run.value(frame, value)).reduce((a, b) => join(a, b));
  const test = run.value(frame, condition);
  const [then, otherwise] = values as [Expression, Expression];
  if (test.constant !== undefined) return run.value(frame, test.constant ? then : otherwise);
  const guards = guardsOf(run, frame, condition);
  const found: Value[] = [];
  const side = (of: typeof guards.whenTrue, value: Expression) => () => {
    applyGuards(run, frame, of);
    found.push(run.value(frame, value));
    return false;
  };
  run.memory.branch(side(guards.whenTrue, then), side(guards.whenFalse, otherwise));
  return found.reduce((a, b) => join(a, b));
}
