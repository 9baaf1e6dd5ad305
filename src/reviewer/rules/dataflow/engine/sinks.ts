import type { CallExpression } from '../form.ts';
import type { Need, Sink } from '../tables/model.ts';
import { type Engine, type Frame, pathOf } from './frame.ts';
import { allLabels, composed, formatted, type Label, unknown, type Value } from './value.ts';

/** A call with the values of its parts. */
export interface Call {
  readonly expression: CallExpression;
  /** The full name, such as `child_process.exec`; null if only the method is known. */
  readonly name: string | null;
  readonly method: string;
  readonly receiver: Value | null;
  readonly target: Value;
  readonly given: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** Reports the arguments of a call that reach a sink. */
export function checkSinks(run: Engine, frame: Frame, made: Call): void {
  const { expression, name, method, given, named: byName } = made;
  for (const sink of sinksOf(frame, name, method)) {
    if (!suits(sink.needs ?? [], made)) continue;
    const values =
      sink.argument === 'receiver'
        ? made.receiver === null
          ? []
          : [made.receiver]
        : argumentsOf(sink, given, byName);
    const into = pathOf(expression.callee) ?? name ?? method;
    for (const value of values)
      run.hits.reach(
        {
          rule: sink.rule,
          value,
          labels: labelsFor(sink, value),
          needs: sink.needs ?? [],
          from: sink.from ?? 'requests',
          line: expression.line,
          into,
        },
        frame,
      );
  }
}

/** Reports a text that a call matches against a regular expression. */
export function checkPattern(run: Engine, frame: Frame, made: Call): void {
  const { expression, name, method, receiver, given } = made;
  const [first = unknown, second = unknown, third = unknown] = given;
  const isPattern = (value: Value | null) => /^@(?:pattern|compiled)$/.test(value?.name ?? '');
  let [pattern, text]: (Value | null)[] = [null, unknown];
  if (isPattern(receiver) && /^(?:test|exec|match|search|fullmatch|findall|finditer|split|sub)$/.test(method))
    [pattern, text] = [receiver, method === 'sub' ? second : first];
  else if (isPattern(first) && /^(?:match|matchAll|search|replace|replaceAll|split)$/.test(method))
    [pattern, text] = [first, receiver];
  else if (/^re\.(?:match|search|fullmatch|sub|findall|finditer|split)$/.test(name ?? ''))
    [pattern, text] = [typeof first.constant === 'string' ? first : null, method === 'sub' ? third : second];
  if (pattern == null || text == null) return;
  const { line } = expression;
  const danger = { rule: 'slow-regex', needs: [], from: 'anybody', line, into: method } as const;
  run.hits.reach({ ...danger, value: text, labels: allLabels(text), pattern: pattern.shape }, frame);
}

/** The labels of a value, or of only those parts of it that matter to the sink. */
function labelsFor({ needs = [] }: Sink, value: Value): readonly Label[] {
  if (needs.includes('where'))
    return [
      ...value.labels.filter(({ isComposed }) => !isComposed),
      ...allLabels(value.fields?.get('$where') ?? unknown),
    ];
  if (needs.includes('text') && value.fields !== null) return [];
  if (needs.includes('program') || needs.includes('shell-list'))
    return programLabels(value, needs.includes('shell-list'));
  if (!needs.includes('address') || value.fields === null) return allLabels(value);
  return ['url', 'uri', 'host', 'hostname', 'baseURL', 'href'].flatMap((name) =>
    allLabels(value.fields?.get(name) ?? unknown),
  );
}

/** In a list of arguments, the first is the program; for a shell, the one after `-c` is a command. */
function programLabels(value: Value, isOfShell: boolean): readonly Label[] {
  if (value.fields === null) return value.labels.filter(({ isStart }) => isStart);
  const [program, option] = [value.fields.get('0'), value.fields.get('1')];
  const isShell = /^(?:.*\/)?(?:ba|z|da|k)?sh$|^cmd(?:\.exe)?$|^powershell/i.test(program?.shape ?? '');
  const isCommand = /^(?:-l?c|\/c|-Command)$/i.test(option?.shape ?? '');
  if (isShell && isCommand) return allLabels(value.fields.get('2') ?? unknown);
  return isOfShell ? [] : allLabels(program ?? unknown);
}

const index = new WeakMap<readonly Sink[], Map<string, Sink[]>>();

function sinksOf(frame: Frame, name: string | null, method: string): readonly Sink[] {
  const { sinks } = frame.table;
  let known = index.get(sinks);
  if (known === undefined) {
    known = new Map();
    for (const sink of sinks)
      for (const each of sink.calls) known.set(each, [...(known.get(each) ?? []), sink]);
    index.set(sinks, known);
  }
  const byName = name === null ? [] : (known.get(name) ?? []);
  return byName.length > 0 ? byName : (known.get(`.${method}`) ?? []);
}

function argumentsOf(
  { argument }: Sink,
  given: readonly Value[],
  byName: ReadonlyMap<string, Value>,
): readonly Value[] {
  if (argument === 'all') return [...given, ...byName.values()];
  if (typeof argument === 'object') {
    const rest = given.slice(argument.from);
    if (argument.as === 'text') return rest.length === 0 ? [] : [composed(formatted(rest))];
    const fields = new Map(rest.map((value, place) => [String(place), value]));
    return [{ ...unknown, fields, isList: true }];
  }
  const value = typeof argument === 'number' ? given[argument] : byName.get(argument);
  return value === undefined ? [] : [value];
}

/** Whether a call fulfils the needs that are about the call as a whole. */
function suits(needs: readonly Need[], { given, named: byName, receiver }: Call): boolean {
  const options = [...given.slice(1), ...(byName.size > 0 ? [{ ...unknown, fields: byName }] : [])];
  const option = (key: string) =>
    options.map(({ fields }) => fields?.get(key)).find((value) => value !== undefined);
  return needs.every((need) => {
    switch (need) {
      case 'shell': {
        const shell = option('shell');
        return shell !== undefined && shell.constant !== false;
      }
      case 'rootless':
        return option('root') === undefined;
      case 'unsafe-loader': {
        const loader = option('Loader') ?? given[1];
        return loader === undefined || !/Safe|Base/i.test(loader.name ?? '');
      }
      case 'response':
        return given[0]?.name === '@response';
      case 'object':
        return receiver !== null && !(receiver.isList || receiver.name === '@pattern');
      default:
        return true;
    }
  });
}

const sql =
  /^[\s\0(]*(?:select|insert|update|delete|replace|merge|with|create|alter|drop|call|exec|truncate|grant|set|pragma)\b|\b(?:where|from|into|values|order by|group by|limit|join)\s/i;

/** The needs about a value that it does not fulfil. Needs about the call are checked by `suits`. */
export function unmetNeeds(needs: readonly Need[], value: Value, label: Label): readonly Need[] {
  return needs.filter((need) => {
    switch (need) {
      case 'sql':
        return !(
          sql.test(value.shape) ||
          (label.origin === 'request' && !label.isComposed && label.parameter === null)
        );
      case 'condition':
        return !/[=<>]|\b(?:like|in|between|is|not)\b/i.test(value.shape);
      case 'html':
        return !/<[a-z!/]/i.test(value.shape);
      case 'start':
        return !label.isStart;
      case 'composed':
        return !label.isComposed;
      case 'whole':
        return label.isComposed;
      default:
        return false;
    }
  });
}
