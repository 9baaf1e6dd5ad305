import type { FlowRule } from '../dataflow-table.ts';
import type { CallExpression, Expression } from '../form.ts';
import { type Engine, type Frame, pathOf } from './frame.ts';
import { cleanPrefix, sourceKey } from './memory.ts';
import { unknown } from './value.ts';

/** States that the expression with this path is harmless for these rules. */
export interface Guard {
  readonly path: string;
  readonly rules: readonly FlowRule[] | 'all';
}

/** The guards that hold if a condition is true, and if it is false. */
export interface Guards {
  readonly whenTrue: readonly Guard[];
  readonly whenFalse: readonly Guard[];
}

const none: Guards = { whenTrue: [], whenFalse: [] };
const both = (guards: readonly Guard[]): Guards => ({ whenTrue: guards, whenFalse: guards });
const swapped = ({ whenTrue, whenFalse }: Guards): Guards => ({ whenTrue: whenFalse, whenFalse: whenTrue });

/** Names of functions that validate something. In doubt, a function counts as one. */
export const validating =
  /valid|safe|allow|check|verif|permi|sanit|authori[sz]|whitelist|blacklist|denylist|forbid|traversal|assert|ensure|require(?!$)|is_?(?:in|sub|child|within|inside|relative|local|same|numeric|integer|digit|alnum|alpha|nan|finite|decimal|uuid|hex|slug|name|known|trusted|internal|private|proto|poll|own)/i;
/** Members through which all objects can be modified. */
const prototypes = /^(?:__proto__|constructor|prototype)$/;
/** Parts of attacks: code that looks for them is a check. */
const suspicious = /\.\.|[\\'"<>;&|$`\0%]|^\/+$/;

/** The dangers that a check of one part of a URL or path rules out for all of it. */
const ofPlaces = ['path-traversal', 'open-redirect', 'request-forgery'] as const;

export function applyGuards(run: Engine, frame: Frame, guards: readonly Guard[]): void {
  for (const { path, rules } of guards) {
    mark(run, frame, path, rules);
    // A check of a derived value also counts for its source: `url.host` for `text` after `url = parse(text)`.
    const spokenFor = rules === 'all' ? (path.includes('.') ? ofPlaces : []) : rules;
    const labels = spokenFor.length === 0 ? [] : (frame.scope.get(rootOf(path))?.labels ?? []);
    for (const label of labels) mark(run, frame, sourceKey(label), spokenFor);
  }
}

const rootOf = (path: string) => /^[^.[]*/.exec(path)![0];

function mark(run: Engine, frame: Frame, path: string, rules: Guard['rules']): void {
  const before = frame.scope.get(cleanPrefix + path)?.shape;
  const isAll = before === 'all' || rules === 'all';
  const shape = isAll ? 'all' : [...new Set([...(before?.split(' ') ?? []), ...rules])].join(' ');
  run.checked.add(rootOf(path));
  run.memory.set(frame.scope, cleanPrefix + path, { ...unknown, shape });
}

export function guardsOf(run: Engine, frame: Frame, condition: Expression, depth = 20): Guards {
  if (depth === 0) return none;
  if (condition.kind === 'call') return guardsOfCall(run, frame, condition);
  if (condition.kind === 'element') {
    // `allowed[name]`: the program's table is an allowlist.
    const path = pathOf(condition.key);
    const isOfOthers = run.value(frame, condition.of).labels.length > 0;
    return path === null || isOfOthers ? none : { whenTrue: [{ path, rules: 'all' }], whenFalse: [] };
  }
  if (condition.kind !== 'operation') return none;
  const { operator, operands } = condition;
  const [left, right] = operands as [Expression, Expression];
  switch (operator) {
    case 'not':
      return swapped(guardsOf(run, frame, left, depth - 1));
    case 'and':
    case 'or': {
      const parts = operands.map((operand) => guardsOf(run, frame, operand, depth - 1));
      return operator === 'and'
        ? { whenTrue: parts.flatMap(({ whenTrue }) => whenTrue), whenFalse: [] }
        : { whenTrue: [], whenFalse: parts.flatMap(({ whenFalse }) => whenFalse) };
    }
    case '==':
      return equality(run, frame, left, right);
    case '!=':
      return swapped(equality(run, frame, left, right));
    case 'in':
      return membership(run, frame, left, right);
    default: {
      // `list.indexOf(name) > -1`
      const calls = operands
        .filter((operand) => operand.kind === 'call')
        .map((operand) => guardsOf(run, frame, operand, depth - 1));
      return both(calls.flatMap(({ whenTrue, whenFalse }) => [...whenTrue, ...whenFalse]));
    }
  }
}

function equality(run: Engine, frame: Frame, left: Expression, right: Expression): Guards {
  const calls = [left, right].filter((side) => side.kind === 'call');
  if (calls.length > 0 && !calls.some((side) => pathOf(side) !== null)) {
    const found = calls.map((side) => guardsOf(run, frame, side));
    const all = found.flatMap(({ whenTrue, whenFalse }) => [...whenTrue, ...whenFalse]);
    if (all.length > 0) return both(all);
  }
  if (left.kind === 'operation' && left.operator === 'type') {
    const path = pathOf(left.operands[0]!);
    const type = right.kind === 'constant' ? right.value : null;
    if (path === null || (type !== 'number' && type !== 'boolean' && type !== 'bigint')) return none;
    return { whenTrue: [{ path, rules: 'all' }], whenFalse: [] };
  }
  const sides = [
    [left, right],
    [right, left],
  ] as const;
  for (const [one, other] of sides) {
    const path = pathOf(one);
    if (path === null) continue;
    const { constant } = run.value(frame, other);
    if (constant === null || constant === '' || constant === true || constant === false) return none;
    if (typeof constant === 'string' && prototypes.test(constant))
      return both([{ path, rules: ['property-injection'] }]);
    if (constant === undefined && other.kind === 'name' && /^(?:undefined|nil|None)$/.test(other.name))
      return none;
    return { whenTrue: [{ path, rules: 'all' }], whenFalse: [] };
  }
  return none;
}

function membership(run: Engine, frame: Frame, left: Expression, right: Expression): Guards {
  const { constant } = run.value(frame, left);
  const path = pathOf(left);
  if (typeof constant === 'string')
    return suspicious.test(constant)
      ? both(pathsIn(right).map((each) => ({ path: each, rules: 'all' })))
      : none;
  const container = run.value(frame, right);
  const isOfOthers = container.labels.some(
    ({ origin }) => origin === 'request' || frame.file.language === 'javascript',
  );
  if (path === null || isOfOthers) return none;
  return { whenTrue: [{ path, rules: 'all' }], whenFalse: [] };
}

function guardsOfCall(run: Engine, frame: Frame, { callee, given }: CallExpression): Guards {
  const method = callee.kind === 'member' ? callee.name : callee.kind === 'name' ? callee.name : '';
  const receiver = callee.kind === 'member' ? callee.of : null;
  const of = receiver === null ? null : pathOf(receiver);
  const paths = given.flatMap((each) => pathsIn(each));
  const all = (list: readonly (string | null)[]) =>
    list.flatMap((path): Guard[] => (path === null ? [] : [{ path, rules: 'all' }]));
  if (/^(?:test|match|exec|fullmatch|search|matches|MatchString)$/.test(method)) {
    const texts = [receiver, ...given].filter((each) => each !== null);
    const pattern = texts
      .map((each) => run.value(frame, each))
      .find(({ name, constant }) => name === '@pattern' || typeof constant === 'string');
    const subjects = all([of, ...paths]);
    if (pattern === undefined) return both(subjects);
    if (/^\^.*\$$/.test(pattern.shape) && !/\.[*+]/.test(pattern.shape))
      return { whenTrue: subjects, whenFalse: [] };
    return suspicious.test(pattern.shape.replace(/\$$/, '')) || /\\[WSD]|\[\^|__proto__/.test(pattern.shape)
      ? both(subjects)
      : none;
  }
  if (/^(?:hasOwnProperty|hasOwn|propertyIsEnumerable|call)$/.test(method)) {
    const owner = method === 'hasOwnProperty' ? of : paths.length > 1 ? paths[0]! : of;
    const path = paths.at(-1);
    const key = given.at(-1);
    if (path === undefined || key === undefined) return none;
    const { labels } = run.value(frame, key);
    const isOwn = labels.some(({ keysOf }) => keysOf !== null && keysOf === owner);
    return isOwn ? none : { whenTrue: [{ path, rules: ['property-injection'] }], whenFalse: [] };
  }
  if (/^(?:includes|has|contains|indexOf|lastIndexOf|some|find|get|Contains|count)$/.test(method)) {
    const [first] = given;
    const { constant } = first === undefined ? unknown : run.value(frame, first);
    if (typeof constant === 'string') {
      if (/\.\./.test(constant))
        return both(of === null ? all(paths) : [{ path: of, rules: ['path-traversal'] }]);
      if (prototypes.test(constant))
        return both(of === null ? [] : [{ path: of, rules: ['property-injection'] }]);
      return suspicious.test(constant) && method !== 'get' ? both(all([of, ...paths])) : none;
    }
    const isLabelled =
      receiver !== null && run.value(frame, receiver).labels.some(({ origin }) => origin === 'request');
    return isLabelled || method === 'get' ? none : both(all(paths));
  }
  if (
    /^(?:startsWith|startswith|HasPrefix|endsWith|endswith|HasSuffix|commonpath|commonprefix|is_relative_to|isAbsolute|IsAbs|IsLocal)$/.test(
      method,
    )
  ) {
    const last = given.at(-1);
    const { constant } = last === undefined ? unknown : run.value(frame, last);
    const subjects = [...(of === null ? [] : [of]), ...paths];
    if (typeof constant !== 'string')
      return both(
        subjects.map((path) => ({ path, rules: ['path-traversal', 'open-redirect', 'request-forgery'] })),
      );
    if (/^\.\.|__/.test(constant)) return both(all(subjects));
    return constant.length > 7
      ? {
          whenTrue: subjects.map((path) => ({ path, rules: ['request-forgery', 'open-redirect'] })),
          whenFalse: [],
        }
      : none;
  }
  if (validating.test(method) && !/^(?:isArray|isObject|isString|isFunction)$/.test(method))
    return both(all([of, ...paths]));
  return none;
}

/** The paths of everything that an argument names. */
export function pathsIn(expression: Expression, depth = 4): string[] {
  const path = pathOf(expression);
  if (path !== null) return [path];
  if (depth === 0) return [];
  switch (expression.kind) {
    case 'call':
      return [
        ...expression.given.flatMap((each) => pathsIn(each, depth - 1)),
        ...(expression.callee.kind === 'member' ? pathsIn(expression.callee.of, depth - 1) : []),
      ];
    case 'element':
      return pathsIn(expression.of, depth - 1);
    case 'text':
      return expression.parts.flatMap((part) => pathsIn(part, depth - 1));
    case 'collection':
      return expression.entries.flatMap(({ value }) => pathsIn(value, depth - 1));
    default:
      return [];
  }
}
