import { AppError } from '../../lib/app-error.ts';

/** One comparison, the only kind of filter that identity providers send: `userName eq "alice@acme.test"`. */
export interface Comparison {
  readonly attribute: string;
  readonly value: string;
}

const comparison = /^\s*([A-Za-z][\w.$:-]*)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*$/i;

function invalid(what: 'filter' | 'path', reason: string): AppError {
  return new AppError('INVALID_REQUEST', `${what}: ${reason}`);
}

/** Reads `attribute eq "value"`; anything else is not supported. Attribute names are lower-cased, as case has no meaning in them. */
export function parseComparison(text: string, what: 'filter' | 'path' = 'filter'): Comparison {
  const [, attribute, literal] = comparison.exec(text) ?? [];
  if (attribute === undefined || literal === undefined)
    throw invalid(what, 'only comparisons such as userName eq "alice@acme.test" are supported');
  try {
    return { attribute: attribute.toLowerCase(), value: String(JSON.parse(literal)) };
  } catch {
    throw invalid(what, 'the value is not a valid string');
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

export function parsePath(text: string): AttributePath {
  const [, urn, attribute, filter, sub] = pathPattern.exec(text.trim()) ?? [];
  if (attribute === undefined) throw invalid('path', `${text.slice(0, 100)} is not supported`);
  return {
    extension: urn === undefined || coreSchema.test(urn) ? undefined : urn,
    attribute,
    filter: filter === undefined ? undefined : parseComparison(filter, 'path'),
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
