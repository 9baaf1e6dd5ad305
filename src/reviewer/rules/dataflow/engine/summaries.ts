import type { FlowFunction } from '../form.ts';
import type { Need } from '../tables/model.ts';
import { type Danger, type Frame, type HitsOfRun, quoted } from './frame.ts';
import { unmetNeeds } from './sinks.ts';
import {
  allLabels,
  type Callable,
  type Hit,
  type Label,
  madeOf,
  passedTo,
  type Step,
  steppedTo,
  unknown,
  type Value,
} from './value.ts';

const maxHits = 500;

/** A part of a parameter that reaches a sink, and is dangerous there only if the argument fulfils these needs. */
interface OpenHit extends Hit {
  readonly unmet: readonly Need[];
}

/** The needs that an argument can fulfil: a helper may get a whole query, which its caller has built. */
const ofArguments: ReadonlySet<Need> = new Set(['sql', 'html', 'condition', 'composed']);

/** The labelled values that reach sinks, each once. */
export class Hits implements HitsOfRun {
  readonly found: Hit[] = [];
  readonly #open: OpenHit[] = [];
  readonly #keys = { found: new Set<string>(), open: new Set<string>() };

  reach({ rule, value, labels, needs, from, line, into, pattern }: Danger, { file: { path } }: Frame): void {
    const sink = { path, line, text: `reaches \`${quoted(into)}\`` };
    for (const label of labels)
      this.#add(
        { rule, label, from, needs, into, pattern, sink, call: null },
        unmetNeeds(needs, value, label),
        value,
      );
  }

  apply(callable: Callable, given: readonly (Value | undefined)[], call: Step): void {
    const isOf = ({ label }: Hit) => label.parameter?.of === callable;
    for (const hit of this.found.filter(isOf))
      for (const label of substituted(hit.label, given, call)) this.#add({ ...hit, label, call });
    for (const { unmet, ...hit } of this.#open.filter(isOf)) {
      const { index, path } = hit.label.parameter!;
      const argument = given[index];
      if (argument === undefined) continue;
      const part = partAt(argument, path);
      // The call may be a sink by its own name, such as `db.query`.
      for (const label of substituted(hit.label, given, call))
        if (!this.#isKnown(keyOf({ ...hit, label, sink: call })))
          this.#add({ ...hit, label, call }, unmetNeeds(unmet, part, label), part);
    }
  }

  #isKnown(key: string): boolean {
    return this.#keys.found.has(key) || this.#keys.open.has(key);
  }

  #add(hit: Hit, unmet: readonly Need[] = [], value?: Value): void {
    if (hit.label.cleaned.has(hit.rule) || isHarmless(hit)) return;
    const key = keyOf(hit);
    if (unmet.length === 0) {
      if (this.#keys.found.has(key) || this.found.length >= maxHits) return;
      this.#keys.found.add(key);
      this.found.push(hit);
    } else if (
      hit.label.parameter !== null &&
      // Of a collection, only the parts are texts.
      value?.fields === null &&
      unmet.every((need) => ofArguments.has(need)) &&
      !this.#keys.open.has(key) &&
      this.#open.length < maxHits
    ) {
      this.#keys.open.add(key);
      this.#open.push({ ...hit, unmet });
    }
  }
}

/** Whether the caller of a helper takes what makes a value dangerous: a fixed start of an address, for example. */
function isHarmless({ needs, label }: Hit): boolean {
  return (needs.includes('start') && !label.isStart) || (needs.includes('whole') && label.isComposed);
}

function keyOf({ rule, sink, label, pattern = '' }: Hit): string {
  const whose =
    label.parameter === null
      ? label.origin
      : `${label.parameter.of.id}.${label.parameter.index}.${label.parameter.path.join('.')}`;
  return `${rule}\0${sink.path}\0${sink.line}\0${whose}\0${label.steps[0]?.line}\0${pattern}`;
}

/** The argument that each parameter of a function gets in a call. */
export function givenBy(
  fn: FlowFunction,
  given: readonly Value[],
  byName: ReadonlyMap<string, Value>,
): readonly (Value | undefined)[] {
  return fn.parameters.map(({ target, isRest }, index) => {
    if (isRest) return madeOf(given.slice(index));
    return given[index] ?? (target.kind === 'name' ? byName.get(target.name) : undefined);
  });
}

/** Replaces the label of a parameter by the labels of the argument. */
export function substituted(
  label: Label,
  values: readonly (Value | undefined)[],
  step: Step,
): readonly Label[] {
  const { parameter } = label;
  if (parameter === null) return [label];
  const value = values[parameter.index];
  if (value === undefined) return [];
  return allLabels(partAt(value, parameter.path)).map((own) => {
    const began = passedTo(own, step);
    const later = label.steps.slice(1).reduce(steppedTo, began);
    return {
      ...later,
      cleaned: label.cleaned.size === 0 ? own.cleaned : new Set([...own.cleaned, ...label.cleaned]),
      isStart: own.isStart && label.isStart,
      isComposed: own.isComposed || label.isComposed,
      keysOf: label.keysOf,
    };
  });
}

/** The part of a value that a path leads to. */
export function partAt(value: Value, path: readonly string[]): Value {
  let at = value;
  for (const name of path) {
    if (name === '*' || at.fields === null) break;
    const next = at.fields.get(name);
    if (next === undefined) return { ...unknown, labels: at.labels };
    at = next;
  }
  return at;
}
