import { composed, join, madeOf, unknown, type Value, withField } from './value.ts';

/** The state of a collection after a method call, and the method's result; null for other methods. */
export function changedList(
  method: string,
  list: Value,
  given: readonly Value[],
): { readonly after: Value; readonly result: Value } | null {
  const [first = unknown, second = unknown] = given;
  const elements = list.isList && list.fields !== null ? [...list.fields.values()] : null;
  const ofElements = (values: readonly Value[]): Value => ({
    ...list,
    fields: new Map(values.map((value, index) => [String(index), value])),
  });
  const loose = (value: Value): Value => ({
    ...list,
    labels: [...list.labels, ...madeOf([value]).labels],
    isList: false,
  });
  switch (method) {
    case 'push':
    case 'append':
    case 'add':
      if (elements !== null) return { after: ofElements([...elements, ...given]), result: unknown };
      return list.name === null && list.callable === null
        ? { after: loose(madeOf(given)), result: unknown }
        : null;
    case 'WriteString':
    case 'WriteByte':
    case 'WriteRune': {
      // A Go builder or buffer, which collects a text piece by piece.
      if (list.name !== null) return null;
      const before = list.fields === null ? list : { ...unknown, shape: '', labels: list.labels };
      return { after: composed([before, ...given]), result: unknown };
    }
    case 'unshift':
      return elements === null ? null : { after: ofElements([...given, ...elements]), result: unknown };
    case 'extend':
      return list.name === null ? { after: loose(first), result: unknown } : null;
    case 'pop':
    case 'shift': {
      if (elements === null) return null;
      const place =
        method === 'shift' ? 0 : typeof first.constant === 'number' ? first.constant : elements.length - 1;
      return {
        after: ofElements(elements.filter((_, index) => index !== place)),
        result: elements[place] ?? unknown,
      };
    }
    case 'get': {
      if (list.fields === null || typeof first.constant !== 'string') return null;
      const whole = list.fields.get(given.map(({ constant }) => constant).join('\0'));
      if (whole !== undefined) return { after: list, result: whole };
      const own = list.fields.get(first.constant);
      return own === undefined ? null : { after: list, result: second === unknown ? own : join(own, second) };
    }
    case 'set': {
      // `settings.set(section, name, value)`, or `map.set(name, value)`.
      const keys = given.slice(0, -1).map(({ constant }) => constant);
      if (keys.length === 0 || keys.some((key) => typeof key !== 'string') || list.callable !== null)
        return null;
      return { after: withField(list, keys.join('\0'), given.at(-1)!), result: unknown };
    }
    default:
      return null;
  }
}
