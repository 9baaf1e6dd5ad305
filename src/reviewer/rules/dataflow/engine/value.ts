import type { FlowRule } from '../dataflow-table.ts';
import type { Constant, FlowFile, FlowFunction } from '../form.ts';
import type { Need, Origin, Whose } from '../tables/model.ts';

/** A place on the way of a value. */
export interface Step {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Marks a value as untrusted, with its source and the way that it took. */
export interface Label {
  readonly origin: Origin;
  /** Its name in the code: `req.query.name`. */
  readonly what: string;
  /** Of a value from a parameter: which parameter, and the path of the part of it; otherwise null. */
  readonly parameter: {
    readonly of: Callable;
    readonly index: number;
    readonly path: readonly string[];
  } | null;
  readonly steps: readonly Step[];
  /** The rules for which it has been sanitized. */
  readonly cleaned: ReadonlySet<FlowRule>;
  /** Whether the text begins with it, so that it decides on the host of a URL. */
  readonly isStart: boolean;
  /** Whether it was put into a longer text. */
  readonly isComposed: boolean;
  /** The path of the object that it is a key of; null if it is no key. Parts of split texts count as keys. */
  readonly keysOf: string | null;
}

/** The facts known about a value. Values are immutable; assignments replace them. */
export interface Value {
  readonly labels: readonly Label[];
  /** Its name, if it has a known one: `child_process.exec`, `@request`. */
  readonly name: string | null;
  readonly constant: Constant | undefined;
  /** The text, with `\0` for each unknown part. */
  readonly shape: string;
  readonly callable: Callable | null;
  readonly fields: ReadonlyMap<string, Value> | null;
  /** Whether it is a list whose elements are all known, in order. */
  readonly isList: boolean;
  /** Of an object that was found by an untrusted key: the label of the key; otherwise null. */
  readonly reached: Label | null;
}

/** A labelled value in a dangerous place. */
export interface Hit {
  readonly rule: FlowRule;
  readonly label: Label;
  readonly from: Whose;
  /** What must be true of a value to be dangerous at the sink. */
  readonly needs: readonly Need[];
  readonly sink: Step;
  /** The call that takes the value to the sink, if the sink is in a helper: of several calls, the first one. */
  readonly call: Step | null;
  /** The name of the sink in the code. */
  readonly into: string;
  /** The program's regular expression that the value is matched against: dangerous only if it is slow. */
  readonly pattern?: string | undefined;
}

/** A function with its scope, and its result once it has been run. */
export interface Callable {
  readonly id: number;
  readonly function: FlowFunction;
  readonly file: FlowFile;
  readonly scope: Scope;
  isExported: boolean;
  state: 'new' | 'running' | 'done';
  returns: Value;
  /** Parameters that get objects which were found by untrusted keys, by index. */
  readonly reached: Map<number, Label>;
}

/** The variables of a function, block of a class, or file. */
export class Scope {
  readonly values = new Map<string, Value>();
  readonly parent: Scope | null;

  constructor(parent: Scope | null) {
    this.parent = parent;
  }

  /** The innermost scope that has the variable; null if none has. */
  find(name: string): Scope | null {
    for (let scope: Scope | null = this; scope !== null; scope = scope.parent)
      if (scope.values.has(name)) return scope;
    return null;
  }

  get(name: string): Value | undefined {
    return this.find(name)?.values.get(name);
  }
}

export const unknown: Value = {
  labels: [],
  name: null,
  constant: undefined,
  shape: '\0',
  callable: null,
  fields: null,
  isList: false,
  reached: null,
};

const maxLabels = 8;
const maxSteps = 18;
const maxShape = 2_000;
const maxFields = 200;
const maxNesting = 4;

export const named = (name: string): Value => ({ ...unknown, name });
export const ofConstant = (constant: Constant): Value => ({
  ...unknown,
  constant,
  shape: constant === null ? '' : String(constant).slice(0, maxShape),
});

/** The value of a variable that has either of two values. */
export function join(a: Value, b: Value, depth = 0): Value {
  if (a === b) return a;
  return {
    labels: joinLabels([...a.labels, ...b.labels]),
    name: a.name ?? b.name,
    constant: a.constant === b.constant ? a.constant : undefined,
    shape: isPair(a, b) ? `${a.shape}\n${b.shape}` : a.shape.length >= b.shape.length ? a.shape : b.shape,
    callable: a.callable ?? b.callable,
    fields: joinFields(a.fields, b.fields, depth),
    isList: a.isList && b.isList && a.fields?.size === b.fields?.size,
    reached: a.reached ?? b.reached,
  };
}

/** Either of two regular expressions may be the one in use, so the shapes of both are kept. */
const isPair = ({ name, shape }: Value, b: Value) =>
  name === '@pattern' && b.name === name && !shape.includes(b.shape) && shape.length + b.shape.length < 1_000;

function joinFields(a: Value['fields'], b: Value['fields'], depth: number): Value['fields'] {
  if (a === null || b === null || depth >= maxNesting) return a ?? b;
  const joined = new Map(a);
  for (const [name, value] of b) {
    const own = joined.get(name);
    joined.set(name, own === undefined ? value : join(own, value, depth + 1));
  }
  return joined;
}

/** Keeps one label per origin: the one that is sanitized for the fewest rules. */
export function joinLabels(labels: readonly Label[]): readonly Label[] {
  if (labels.length < 2) return labels;
  const known = new Map<string, Label>();
  for (const label of labels) {
    const { origin, what, parameter, cleaned, isComposed } = label;
    const key = `${origin}\0${what}\0${parameter === null ? '' : `${parameter.of.id}.${parameter.index}.${parameter.path.join('.')}`}`;
    const other = known.get(key);
    const isWorse =
      other === undefined ||
      other.cleaned.size > cleaned.size ||
      (other.cleaned.size === cleaned.size && other.isComposed && !isComposed);
    if (isWorse) known.set(key, label);
  }
  return [...known.values()].slice(0, maxLabels);
}

/** All labels of a value and of its fields. */
export function allLabels(value: Value, depth = 0): readonly Label[] {
  if (value.fields === null || depth >= maxNesting) return value.labels;
  const inside = [...value.fields.values()].flatMap((field) => allLabels(field, depth + 1));
  return inside.length === 0 ? value.labels : joinLabels([...value.labels, ...inside]);
}

/** The concatenation of parts. */
export function composed(parts: readonly Value[]): Value {
  let shape = '';
  const labels: Label[] = [];
  const isAlone = parts.filter(({ shape: own }) => own !== '').length < 2;
  let isOpen = true;
  for (const part of parts) {
    // After `http://`, the next part decides on the host.
    const decides = isOpen && /^(?:(?:https?|wss?|ftp):)?(?:\/\/)?(?:[^/?#]*@)?$/i.test(shape);
    for (const label of allLabels(part))
      labels.push(
        isAlone ? label : { ...label, isStart: decides && label.isStart, isComposed: true, keysOf: null },
      );
    if (part.constant === undefined && part.shape === '\0') isOpen = false;
    if (shape.length < maxShape) shape += part.shape;
  }
  const constants = parts.map(({ constant }) => constant);
  if (constants.every((constant) => constant !== undefined)) return ofConstant(constants.join(''));
  return { ...unknown, labels: joinLabels(labels), shape: shape.slice(0, maxShape) };
}

/** A value that is derived from others in a way that is not followed. */
export function madeOf(parts: readonly Value[], shape = '\0'): Value {
  const labels = joinLabels(parts.flatMap((part) => allLabels(part)));
  return labels.length === 0
    ? shape === '\0'
      ? unknown
      : { ...unknown, shape }
    : { ...unknown, labels, shape };
}

export function withStep(value: Value, step: Step): Value {
  if (value.labels.length === 0) return value;
  return { ...value, labels: value.labels.map((label) => steppedTo(label, step)) };
}

/** Adds a step to the way of a label. Of the steps on one line, the first is enough. */
export function steppedTo(label: Label, step: Step): Label {
  const last = label.steps.at(-1);
  if (last?.line === step.line && last.path === step.path) return label;
  return withLast(label, step);
}

/** Adds a call to the way of a label, even if the way is on that line already: it goes on in another place. */
export function passedTo(label: Label, step: Step): Label {
  const last = label.steps.at(-1);
  if (last?.line === step.line && last.path === step.path && last.text === step.text) return label;
  return withLast(label, step);
}

const withLast = (label: Label, step: Step): Label =>
  label.steps.length >= maxSteps ? label : { ...label, steps: [...label.steps, step] };

/** Marks a value as sanitized for these rules; `all` removes its labels. */
export function cleanedOf(value: Value, rules: readonly FlowRule[] | 'all', depth = 0): Value {
  const fields =
    value.fields === null || depth >= maxNesting
      ? value.fields
      : new Map([...value.fields].map(([name, field]) => [name, cleanedOf(field, rules, depth + 1)]));
  const labels =
    rules === 'all'
      ? []
      : value.labels.map((label) => ({ ...label, cleaned: new Set([...label.cleaned, ...rules]) }));
  return { ...value, fields, labels, ...(rules === 'all' && { reached: null }) };
}

export function withField(value: Value, name: string, field: Value): Value {
  const fields = new Map(value.fields);
  if (fields.size < maxFields || fields.has(name)) fields.set(name, field);
  return { ...value, fields, constant: undefined, isList: value.isList && /^\d+$/.test(name) };
}

/** The parts of a formatted text, as in `'a %s b' % c`. */
export function formatted([format, ...rest]: readonly Value[]): Value[] {
  const [head = ''] = format!.shape.split(/%[-+#\d.]*[a-zA-Z]|%\(|\{/);
  const tail = format!.shape.slice(head.length);
  const verbs = [...format!.shape.matchAll(/%[-+#\d.]*([a-zA-Z])/g)].map(([, verb]) => verb!);
  return [
    ofConstant(head),
    // Numbers and quoted values carry no untrusted text.
    ...rest.flatMap((value, index) =>
      /^[dioutfegxXqcb]$/.test(verbs[index] ?? '') ? [] : [value.fields === null ? value : madeOf([value])],
    ),
    { ...unknown, shape: tail, labels: format!.labels },
  ];
}
