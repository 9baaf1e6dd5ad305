import { type Engine, type Frame, quoted } from './frame.ts';
import { allLabels, type Label, named, unknown, type Value } from './value.ts';

const maxPath = 3;
/** Members that hold no untrusted text, such as numbers. */
const harmless = /^(?:length|size|byteLength|count|status|statusCode|constructor|prototype)$/;

export function memberOf(run: Engine, frame: Frame, of: Value, name: string, line: number): Value {
  const own = of.fields?.get(name);
  if (own !== undefined) return own;
  if (of.name !== null) {
    const full = `${of.name}.${name}`;
    const source = frame.table.sources.find(([names]) => names.test(full));
    if (source !== undefined) {
      const what = full.replace(/^@/, '').replace(/\(\)$/, '');
      return { ...run.labelled(source[1], what, { path: frame.file.path, line }), name: full };
    }
    const found = named(full);
    return of.labels.length === 0 ? found : { ...found, labels: harmless.test(name) ? [] : of.labels };
  }
  // Unknown members of a known function, list or object have no labels.
  if (harmless.test(name) || of.labels.length === 0)
    return of.reached === null ? unknown : { ...unknown, reached: null };
  return { ...unknown, labels: of.labels.map((label) => withPath(label, name)) };
}

function withPath(label: Label, name: string): Label {
  const { parameter } = label;
  if (parameter === null || parameter.path.length >= maxPath || parameter.path.at(-1) === '*') return label;
  return {
    ...label,
    what: quoted(`${label.what}.${name}`),
    parameter: { ...parameter, path: [...parameter.path, name] },
  };
}

/** The element under a computed key. */
export function elementOf(run: Engine, frame: Frame, of: Value, key: Value, line: number): Value {
  if (key.constant !== undefined && key.constant !== null && key.constant !== '') {
    const { fields } = of;
    if (typeof key.constant === 'string' && of.constant === undefined)
      return memberOf(run, frame, of, key.constant, line);
    const name = String(
      typeof key.constant === 'number' && key.constant < 0 && of.isList
        ? (fields?.size ?? 0) + key.constant
        : key.constant,
    );
    const own = fields?.get(name);
    if (own !== undefined) return own;
    if (of.isList) return unknown;
    if (typeof of.constant === 'string' && typeof key.constant === 'number')
      return {
        ...unknown,
        constant: of.constant.at(key.constant),
        shape: of.constant.at(key.constant) ?? '',
      };
  }
  // A table of the program: whichever key is chosen, the program wrote the value.
  if (of.fields !== null && of.labels.length === 0 && allLabels(of).length === 0 && key.labels.length > 0)
    return { ...unknown, reached: reachedBy(key) };
  const labels = allLabels(of).map((label) =>
    label.keysOf === null && key.constant === undefined ? withPath(label, '*') : label,
  );
  return { ...unknown, labels, name: of.name === null ? null : `${of.name}[]`, reached: reachedBy(key) };
}

/**
 * The label of an untrusted key by which an object is found: the object may be the prototype of all others. Null for other keys.
 */
function reachedBy(key: Value): Label | null {
  return (
    key.labels.find(({ isComposed, cleaned }) => !isComposed && !cleaned.has('property-injection')) ?? null
  );
}

/** The values of a loop's variable: the keys of a collection, or its elements. */
export function runThrough(of: Value, isKeys: boolean, path: string | null): Value {
  if (of.fields !== null && of.labels.length === 0) {
    const values = [...of.fields.values()];
    return isKeys
      ? unknown
      : values.length === 0
        ? unknown
        : { ...unknown, labels: allLabels(of), callable: values[0]!.callable };
  }
  const labels = allLabels(of).map((label) => ({
    ...withPath(label, '*'),
    keysOf: isKeys ? (path ?? '') : label.keysOf,
  }));
  return { ...unknown, labels };
}
