import { AppError } from '../../lib/app-error.ts';
import { isUnstorable } from '../../lib/wire/unstorable-text.ts';

/** One comparison for equality: `userName eq "alice@acme.test"`. */
export interface Comparison {
  /** In lower case, as case has no meaning in names of attributes. */
  readonly attribute: string;
  readonly value: string;
}

const literal = /"(?:[^"\\]|\\.)*"|true|false/i;
const comparison = new RegExp(
  // `emails[type eq "work"].value` is how Entra names the address that it knows a user by.
  `^(?:urn:ietf:params:scim:schemas:core:2\\.0:(?:User|Group):)?([a-z][\\w.$-]*)(\\[[^\\]]*\\]\\.\\w+)?\\s+eq\\s+(${literal.source})`,
  'i',
);

function invalid(what: 'filter' | 'path', reason: string): AppError {
  return new AppError('INVALID_REQUEST', `${what}: ${reason}`);
}

function literalOf(text: string, what: 'filter' | 'path'): string {
  let value: string;
  try {
    value = String(JSON.parse(text.startsWith('"') ? text : text.toLowerCase()));
  } catch {
    throw invalid(what, 'the value is not a valid string');
  }
  // Escapes can name characters that no stored text contains, and that the database does not take.
  if (isUnstorable(value)) throw invalid(what, 'the value contains a character that cannot be stored');
  return value;
}

/** Reads `attribute eq "value"`, or several joined by `and`: the only filters that identity providers send. */
export function parseFilter(text: string, what: 'filter' | 'path' = 'filter'): Comparison[] {
  const found: Comparison[] = [];
  for (let rest = text.trim(); ; ) {
    const [whole, attribute = '', entry = '', value = ''] = comparison.exec(rest) ?? [];
    if (whole === undefined)
      throw invalid(
        what,
        'only comparisons such as userName eq "alice@acme.test", joined by "and", are supported',
      );
    const sub = entry === '' ? '' : entry.slice(entry.lastIndexOf('.'));
    found.push({ attribute: (attribute + sub).toLowerCase(), value: literalOf(value, what) });
    rest = rest.slice(whole.length);
    if (rest.trim() === '') return found;
    const [joined] = /^\s+and\s+/i.exec(rest) ?? [];
    rest = joined === undefined ? '?' : rest.slice(joined.length);
  }
}

/** The path of a PATCH operation: `name.familyName`, `emails[type eq "work"].value`, or with the URN of its schema in front. */
export interface AttributePath {
  /** The URN of an extension; undefined for the core schema. */
  readonly extension: string | undefined;
  readonly attribute: string;
  readonly filter: Comparison | undefined;
  readonly sub: string | undefined;
}

const pathPattern = /^(?:(urn:[\w:.-]+):)?([A-Za-z$][\w$-]*)(?:\[([^\]]+)\])?(?:\.([A-Za-z$][\w$-]*))?$/;
const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(User|Group)$/i;

function onlyComparison(text: string): Comparison {
  const [first, ...others] = parseFilter(text, 'path');
  if (others.length > 0) throw invalid('path', `${text.slice(0, 100)} is not supported`);
  return first!;
}

/** Whether an entry of a list, such as one of the emails, is the one that a comparison names. */
export function isNamed(entry: unknown, { attribute, value }: Comparison): boolean {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    Object.entries(entry).some(
      ([name, held]) =>
        name.toLowerCase() === attribute && String(held).toLowerCase() === value.toLowerCase(),
    )
  );
}

export function parsePath(text: string): AttributePath {
  const [, urn, attribute, filter, sub] = pathPattern.exec(text.trim()) ?? [];
  if (attribute === undefined) throw invalid('path', `${text.slice(0, 100)} is not supported`);
  return {
    extension: urn === undefined || coreSchema.test(urn) ? undefined : urn,
    attribute,
    filter: filter === undefined ? undefined : onlyComparison(filter),
    sub,
  };
}

/** A flag as providers send it: Entra writes "True" and "False", or wraps it in a list. */
export function parseFlag(value: unknown): boolean {
  const single =
    Array.isArray(value) && value.length === 1 ? (value[0] as { value?: unknown })?.value : value;
  if (typeof single === 'boolean') return single;
  const text = String(single).toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw new AppError('INVALID_REQUEST', 'active: must be true or false');
}
