import { parse } from 'postgres-array';
import { arrayLiteral } from './array-literal.ts';

type Element = string | number | boolean | Date;

/** The array types used in the schema and its statements: PostgreSQL's type id, and the parser of an element. */
const elementReaders = {
  boolArray: [1000, (text: string) => text === 't'],
  int2Array: [1005, Number],
  int4Array: [1007, Number],
  textArray: [1009, String],
  float8Array: [1022, Number],
  timestamptzArray: [1185, (text: string) => new Date(text)],
  uuidArray: [2951, String],
} as const satisfies Record<string, readonly [number, (text: string) => Element]>;

/** How the client reads and writes arrays of one type; a literal is passed through as it is. */
export function arrayType(typeId: number, read: (text: string) => Element) {
  return {
    to: typeId,
    from: [typeId],
    parse: (text: string) => parse(text, read),
    serialize: (value: string | readonly (Element | null)[]) =>
      typeof value === 'string' ? value : arrayLiteral(value),
  };
}

/**
 * Declared up front, because the client would otherwise query them on every new connection: one more round trip, and if
 * the connection is lost during it, the client does not catch the failure and the process ends.
 */
export const arrayTypes = Object.fromEntries(
  Object.entries(elementReaders).map(([name, [typeId, read]]) => [name, arrayType(typeId, read)]),
);
