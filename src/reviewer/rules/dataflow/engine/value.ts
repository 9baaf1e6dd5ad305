import type { FlowRule } from '../dataflow-table.ts';
import type { Constant, FlowFile, FlowFunction } from '../form.ts';
import type { Origin, Whose } from '../tables/model.ts';

/** A place that a value passes. */
export interface Step {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** That a value is chosen by somebody else, and which way it went. */
export interface Label {
  readonly origin: Origin;
  /** As the code calls it: `req.query.name`. */
  readonly what: string;
  /** Of what is given to a function: which, and which part of it. */
  readonly parameter: {
    readonly of: Callable;
    readonly index: number;
    readonly path: readonly string[];
  } | null;
  readonly steps: readonly Step[];
  /** The rules that have nothing to say of it any more. */
  readonly cleaned: ReadonlySet<FlowRule>;
  /** The text begins with it, so that it decides on the host of an address. */
  readonly isStart: boolean;
  /** It was put into a text. */
  readonly isComposed: boolean;
  /** It is one of the names in this object, or a part of a text that was split. */
  readonly keysOf: string | null;
}

/** What is known of a value. Values never change; variables get others. */
export interface Value {
  readonly labels: readonly Label[];
  /** What it is, as far as names tell: `child_process.exec`, `@request`. */
  readonly name: string | null;
  readonly constant: Constant | undefined;
  /** The parts of a text that are known, with `\0` for the others. */
  readonly shape: string;
  readonly callable: Callable | null;
  readonly fields: ReadonlyMap<string, Value> | null;
  /** A list whose elements are all known, in order. */
  readonly isList: boolean;
  /** An object that was found under a name that somebody else chose. */
  readonly reached: Label | null;
}

/** A labelled value in a dangerous place. */
export interface Hit {
  readonly rule: FlowRule;
  readonly label: Label;
  readonly from: Whose;
  readonly sink: Step;
  /** What the value reaches, as the code calls it. */
  readonly into: string;
  /** The regular expression of the program that looks at the value: dangerous only if it is slow. */
  readonly pattern?: string | undefined;
}

/** A function together with what is around it, and what it does with its parameters once that is known. */
export interface Callable {
  readonly id: number;
  readonly function: FlowFunction;
  readonly file: FlowFile;
  readonly scope: Scope;
  isExported: boolean;
  state: 'new' | 'running' | 'done';
  returns: Value;
  /** Parameters that get objects which were found under names of others. */
  readonly reached: Map<number, Label>;
}

/** The variables of a function, block of a class, or file. */
export class Scope {
  readonly values = new Map<string, Value>();
  readonly parent: Scope | null;

  constructor(parent: Scope | null) {
    this.parent = parent;
  }

  /** The scope that has the name. */
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

/** Values that are one or the other. */
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

/** Either of two regular expressions may be the one that looks. */
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

/** Each origin once, by the shortest way. */
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

/** All labels of a value and of what is in it. */
export function allLabels(value: Value, depth = 0): readonly Label[] {
  if (value.fields === null || depth >= maxNesting) return value.labels;
  const inside = [...value.fields.values()].flatMap((field) => allLabels(field, depth + 1));
  return inside.length === 0 ? value.labels : joinLabels([...value.labels, ...inside]);
}

/** A text made of parts, in their order. */
export function composed(parts: readonly Value[]): Value {
  let shape = '';
  const labels: Label[] = [];
  const isAlone = parts.filter(({ shape: own }) => own !== '').length < 2;
  let isOpen = true;
  for (const part of parts) {
    // `http://` leaves the host to what follows.
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

/** A value that is made of others in some way that nobody follows. */
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

export function steppedTo(label: Label, step: Step): Label {
  const last = label.steps.at(-1);
  if (last?.line === step.line && last.path === step.path) return label;
  if (label.steps.length >= maxSteps) return label;
  return { ...label, steps: [...label.steps, step] };
}

/** Without the labels that these rules are about; `all` for every rule. */
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

/** `'a %s b' % c` */
export function formatted([format, ...rest]: readonly Value[]): Value[] {
  const [head = ''] = format!.shape.split(/%[-+#\d.]*[a-zA-Z]|%\(|\{/);
  const tail = format!.shape.slice(head.length);
  const verbs = [...format!.shape.matchAll(/%[-+#\d.]*([a-zA-Z])/g)].map(([, verb]) => verb!);
  return [
    ofConstant(head),
    // Numbers, and what is quoted, bring no text of others.
    ...rest.flatMap((value, index) =>
      /^[dioutfegxXqcb]$/.test(verbs[index] ?? '') ? [] : [value.fields === null ? value : madeOf([value])],
    ),
    { ...unknown, shape: tail, labels: format!.labels },
  ];
}
