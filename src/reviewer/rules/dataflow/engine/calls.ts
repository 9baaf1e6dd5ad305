import type { CallExpression } from '../form.ts';
import { store } from './assignments.ts';
import { type Engine, type Frame, quoted } from './frame.ts';
import { applyGuards, pathsIn, validating } from './guards.ts';
import { changedList } from './lists.ts';
import { memberOf, runThrough } from './members.ts';
import { type Call, checkPattern, checkSinks } from './sinks.ts';
import { givenBy, substituted } from './summaries.ts';
import {
  allLabels,
  type Callable,
  cleanedOf,
  composed,
  formatted,
  joinLabels,
  type Label,
  madeOf,
  unknown,
  type Value,
} from './value.ts';

export function call(run: Engine, frame: Frame, expression: CallExpression): Value {
  const { callee, line } = expression;
  const receiver = callee.kind === 'member' ? run.value(frame, callee.of) : null;
  const target =
    callee.kind === 'member' ? memberOf(run, frame, receiver!, callee.name, line) : run.value(frame, callee);
  const given = expression.given.map((each) => run.value(frame, each));
  const byName = new Map(expression.named.map(({ name, value }) => [name ?? '', run.value(frame, value)]));
  const method = callee.kind === 'member' || callee.kind === 'name' ? callee.name : '';
  const made: Call = { expression, name: target.name, method, receiver, target, given, named: byName };
  checkSinks(run, frame, made);
  checkPattern(run, frame, made);
  if (
    target.name !== null &&
    target.callable === null &&
    [...given, ...byName.values()].some((each) => isOfOthers(frame, each))
  )
    run.wantImport(target.name);
  runHandlers(run, frame, made);
  const result = resultOf(run, frame, made);
  fillLast(run, frame, made);
  const label = expression.isNew && target.name !== null ? null : target.name;
  if (
    result.name === null &&
    result.labels.length === 0 &&
    result.fields === null &&
    label !== null &&
    result.constant === undefined
  )
    return sourceOr(run, frame, `${label}()`, line, result);
  return result;
}

/**
 * `decoder.Decode(&value)` fills its last argument from the receiver. Known fields of the argument stay: they cannot hold text.
 */
function fillLast(run: Engine, frame: Frame, { expression, name, method, receiver, given }: Call): void {
  const { fills, requests } = frame.table;
  const target = expression.given.at(-1);
  if (target === undefined || fills === undefined || !fills.test(name ?? `.${method}`)) return;
  const from =
    receiver !== null && requests?.test(receiver.name ?? '') === true
      ? run.labelled('request', receiver.name!.slice(1), { path: frame.file.path, line: expression.line })
      : madeOf([...(receiver === null ? [] : [receiver]), ...given.slice(0, -1)]);
  if (from.labels.length > 0)
    store(run, frame, target, { ...from, fields: given.at(-1)!.fields }, expression.line);
}

/**
 * Whether a value is a request or untrusted. Parameters of functions count as untrusted only in JavaScript, because reading the
 * imported files takes too long in other languages.
 */
function isOfOthers({ file, table: { sources, requests } }: Frame, value: Value): boolean {
  if (
    value.name !== null &&
    (value.name === '@request' ||
      requests?.test(value.name) === true ||
      sources.some(([names]) => names.test(`${value.name}.args`)))
  )
    return true;
  return allLabels(value).some(({ parameter }) => parameter === null || file.language === 'javascript');
}

/** A labelled value if the name is a source; otherwise the given value, with the name that the language's table has for it. */
function sourceOr(run: Engine, frame: Frame, name: string, line: number, otherwise: Value): Value {
  const source = frame.table.sources.find(([names]) => names.test(name));
  if (source !== undefined)
    return { ...run.labelled(source[1], name.replace(/^@/, ''), { path: frame.file.path, line }), name };
  const known = frame.table.results.find(([names]) => names.test(name));
  return { ...otherwise, name: known?.[1] ?? name };
}

function resultOf(run: Engine, frame: Frame, made: Call): Value {
  const { expression, name, method, receiver, target, given, named: byName } = made;
  const { table } = frame;
  const full = name ?? `.${method}`;
  const everything = [...given, ...byName.values()];
  for (const [names, rules] of table.cleaners)
    if (names.test(full)) {
      if (rules === 'all') return { ...unknown, shape: 'x' };
      return cleanedOf(madeOf([...(receiver === null ? [] : [receiver]), ...everything]), rules);
    }
  if (target.callable !== null) return applyCallable(run, frame, made, target.callable);
  // A function named like a check is assumed to throw, or to report an error, for bad values.
  if (validating.test(method) && name !== 'require' && !table.passing.test(full)) {
    applyGuards(
      run,
      frame,
      expression.given.flatMap((each) => pathsIn(each)).map((path) => ({ path, rules: 'all' })),
    );
    return unknown;
  }
  if (table.same.test(full)) return given[0] ?? unknown;
  const source = name === null ? unknown : sourceOr(run, frame, `${name}()`, expression.line, unknown);
  if (source.labels.length > 0) return { ...source, name: null };
  const listed = receiver === null ? null : changedList(method, receiver, given);
  if (listed !== null) {
    if (listed.after !== receiver && expression.callee.kind === 'member')
      store(run, frame, expression.callee.of, listed.after, expression.line);
    return listed.result;
  }
  runCallbacks(run, made);
  return passedOn(frame, made);
}

function passedOn(frame: Frame, { name, method, receiver, given, named: byName, target }: Call): Value {
  const full = name ?? `.${method}`;
  const everything = [...given, ...byName.values()];
  if (/^(?:format|sprintf|Sprintf|format_map)$/.test(method) && frame.table.passing.test(full)) {
    if (receiver !== null && receiver.shape !== '\0') return composed(formatted([receiver, ...everything]));
    return given.length === 0 ? unknown : composed(formatted(given));
  }
  if (name === 're.compile' && typeof given[0]?.constant === 'string')
    return { ...unknown, name: '@compiled', shape: given[0].shape };
  if (/^replace(?:All)?$/.test(method) && given[0]?.name === '@pattern' && receiver !== null) {
    // Removing such characters counts as sanitizing.
    return /\[\^|\\[WSD]|\.\.|[<>"'`;&|$]|\\\.|\\\//.test(given[0].shape.replace(/\$$/, ''))
      ? { ...unknown, shape: receiver.shape }
      : madeOf([receiver], receiver.shape);
  }
  if (method === 'join' && receiver !== null && receiver.fields !== null && receiver.isList)
    return composed([...receiver.fields.values()]);
  if (/^concat$/.test(method) && receiver !== null) return composed([receiver, ...given]);
  const callbackResult = given.find(({ callable }) => callable !== null && callable.state === 'done');
  if (callbackResult !== undefined && /^(?:map|then|flatMap|replace|reduce)$/.test(method))
    return callbackResult.callable!.returns;
  const labels = receiver === null ? [] : allLabels(receiver).filter(() => table(frame, full));
  if (!table(frame, full))
    return labels.length > 0
      ? { ...unknown, labels }
      : { ...unknown, name: target.name === null ? null : `${target.name}()` };
  const parts = [
    ...(receiver === null || (receiver.name !== null && receiver.labels.length === 0) ? [] : [receiver]),
    ...everything,
  ];
  const path = /(?:^|\.)(?:join|resolve|Join)$/.test(full) && given.length > 1;
  // A path that was cleaned below the root `/` cannot lead out of it.
  const isRooted = /\.Clean$/.test(full) ? given[0]?.shape.startsWith('/') : given[0]?.shape === '/';
  if (/(?:^|\/)(?:path|filepath)\.(?:Clean|Join)$/.test(full) && isRooted === true)
    return cleanedOf(composed(given), ['path-traversal']);
  if (path) return composed(given.flatMap((each) => [each, { ...unknown, constant: '/', shape: '/' }]));
  const result = madeOf(parts, receiver?.shape ?? given[0]?.shape ?? '\0');
  // The keys of an untrusted object are untrusted names; so are the parts of a split text.
  const isKeys = /^(?:keys|getOwnPropertyNames|entries|ownKeys)$/.test(method);
  if (!isKeys && method !== 'split') return result;
  return { ...result, labels: result.labels.map((label) => ({ ...label, keysOf: label.what })) };
}

const table = (frame: Frame, full: string) => frame.table.passing.test(full);

/** Runs callbacks. The name of the called function tells what their parameters get. */
function runCallbacks(run: Engine, { method, receiver, given, name }: Call): void {
  const labels = receiver === null ? [] : allLabels(receiver);
  for (const { callable } of given) {
    if (callable === null || callable.state !== 'new') continue;
    const elements = { ...unknown, labels };
    const isKeys = receiver !== null && labels.some(({ keysOf }) => keysOf !== null);
    const first = /^(?:forEach|map|filter|some|every|find|flatMap|then|each|reduce|reduceRight|sort)$/.test(
      method,
    )
      ? elements
      : undefined;
    if (
      first === undefined &&
      !/^(?:on|once|addListener|addEventListener|subscribe|use|get|post|put|delete|patch|all|catch|finally|setTimeout|nextTick)$/.test(
        method,
      )
    ) {
      // `each(object, (value, key) => …)`
      const over = given.find((each) => each.callable === null && each.labels.length > 0);
      if (
        /(?:^|\.)(?:each|forEach|forIn|forOwn|map|mapValues|reduce|transform)$/.test(name ?? method) &&
        over !== undefined
      )
        run.evaluate(callable, [runThrough(over, false, null), runThrough(over, true, 'each')]);
      else
        run.evaluate(
          callable,
          callable.function.parameters.map(() => undefined),
        );
      continue;
    }
    const values = method.startsWith('reduce')
      ? [{ ...unknown, reached: isKeys ? (labels[0] ?? null) : null }, first]
      : [first];
    run.evaluate(callable, first === undefined ? undefined : values);
  }
}

/** Runs handlers: functions that are called with requests, or with other untrusted values. */
function runHandlers(run: Engine, frame: Frame, { name, method, given, expression: { line } }: Call): void {
  if (!given.some(({ callable }) => callable !== null)) return;
  const full = name ?? `.${method}`;
  const row = frame.table.handlers.find(([names]) => names.test(full));
  if (row === undefined) return;
  for (const { callable } of given) {
    if (callable?.state !== 'new') continue;
    const { parameters } = callable.function;
    const kinds = parameters.length === 4 && row[1][0] === '@request' ? [null, ...row[1]] : row[1];
    const got = (kind: string | null = null) =>
      kind === null ? undefined : sourceOr(run, frame, kind, line, unknown);
    run.evaluate(
      callable,
      parameters.map((_, index) => got(kinds[index])),
    );
  }
}

/** Calls a function of the program, and applies what is known about its parameters to the arguments. */
function applyCallable(run: Engine, frame: Frame, made: Call, callable: Callable): Value {
  const { expression, given, method, name } = made;
  // An object that was found by an untrusted key is still one in the called function.
  for (const [index, value] of given.entries())
    if (
      value.reached !== null &&
      !callable.reached.has(index) &&
      callable.state !== 'done' &&
      !value.reached.cleaned.has('property-injection')
    )
      callable.reached.set(index, value.reached);
  // A function expression that is called immediately has no other callers.
  const returns = run.evaluate(callable, expression.callee.kind === 'function' ? given : undefined);
  const values = givenBy(callable.function, given, made.named);
  const step = {
    path: frame.file.path,
    line: expression.line,
    text: `is passed to \`${quoted(callable.function.name || method || 'a function')}\``,
  };
  run.hits.apply(callable, values, step);
  if (validating.test(callable.function.name))
    applyGuards(
      run,
      frame,
      expression.given.flatMap((each) => pathsIn(each)).map((path) => ({ path, rules: 'all' })),
    );
  const own = name?.startsWith('@class ') ? run.classes.get(name.slice('@class '.length)) : undefined;
  const result =
    own === undefined
      ? returns
      : (own.values.get(
          own.values.get('this') === undefined ? 'self' : frame.file.language === 'python' ? 'self' : 'this',
        ) ?? unknown);
  return substitute(result, callable, (label) => substituted(label, values, step));
}

/** The result of a call: labels of parameters are replaced by those of the arguments. */
function substitute(
  value: Value,
  callable: Callable,
  labelsOf: (label: Label) => readonly Label[],
  depth = 0,
): Value {
  const isOf = (label: Label) => label.parameter?.of === callable;
  if (depth > 3) return { ...value, labels: value.labels.filter((label) => !isOf(label)) };
  const labels = joinLabels(value.labels.flatMap((label) => (isOf(label) ? labelsOf(label) : [label])));
  const fields =
    value.fields === null
      ? null
      : new Map(
          [...value.fields].map(([name, field]) => [name, substitute(field, callable, labelsOf, depth + 1)]),
        );
  return { ...value, labels, fields };
}
