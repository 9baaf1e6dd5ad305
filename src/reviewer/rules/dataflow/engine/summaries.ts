import type { FlowFunction } from '../form.ts';
import { allLabels, type Label, madeOf, type Step, steppedTo, type Value } from './value.ts';

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
  return labelsAt(value, parameter.path).map((own) => {
    const began = steppedTo(own, step);
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

/** The labels of the part of a value that a path leads to. */
function labelsAt(value: Value, path: readonly string[]): readonly Label[] {
  let at = value;
  for (const name of path) {
    if (name === '*' || at.fields === null) break;
    const next = at.fields.get(name);
    if (next === undefined) return at.labels;
    at = next;
  }
  return allLabels(at);
}
