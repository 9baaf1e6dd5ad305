import { parse } from 'postgres-array';
import { arrayLiteral } from './array-literal.ts';

type Element = string | number | boolean | Date;

/** The arrays of the schema and its statements by PostgreSQL's number of their type, with how one element is read. */
const elementReaders = {
  boolArray: [1000, (text: string) => text === 't'],
  int2Array: [1005, Number],
  int4Array: [1007, Number],
  textArray: [1009, String],
  float8Array: [1022, Number],
  timestamptzArray: [1185, (text: string) => new Date(text)],
  uuidArray: [2951, String],
} as const satisfies Record<string, readonly [number, (text: string) => Element]>;

/** How a client reads and writes arrays of one type; a literal goes through as it is. */
export function arrayType(number: number, read: (text: string) => Element) {
  return {
    to: number,
    from: [number],
    parse: (text: string) => parse(text, read),
    serialize: (value: string | readonly (Element | null)[]) =>
      typeof value === 'string' ? value : arrayLiteral(value),
  };
}

/**
 * Told to the client, which would otherwise ask the database for them on every new connection: a round trip more, whose
 * failure it does not catch, so that a connection lost at that moment would end the process.
 */
export const arrayTypes = Object.fromEntries(
  Object.entries(elementReaders).map(([name, [number, read]]) => [name, arrayType(number, read)]),
);
