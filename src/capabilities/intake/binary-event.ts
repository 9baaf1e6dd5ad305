import { AppError } from '../../lib/app-error.ts';

const prefix = 'ce-';
/** Not attributes in binary mode: the body is the data, and its content type has a header of its own. */
const carriedElsewhere = new Set(['data', 'datacontenttype']);
const printable = /^[ -~]*$/;
const quoted = /^"((?:[^"\\]|\\.)*)"$/;

/** Whether the headers of a request hold attributes of an event. */
export function hasEventHeaders(rawHeaders: readonly string[]): boolean {
  return rawHeaders.some((text, index) => index % 2 === 0 && text.toLowerCase().startsWith(prefix));
}

/** Decodes an attribute as the HTTP binding of CloudEvents encodes it: optionally quoted, then percent-encoded UTF-8. */
function decodeValue(name: string, text: string): string {
  const unquoted = quoted.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? text;
  try {
    if (printable.test(text)) return decodeURIComponent(unquoted);
  } catch {
    // reported below
  }
  throw new AppError('INVALID_REQUEST', `${name}: must be printable ASCII with percent-encoded UTF-8`);
}

/** The event of a request in binary mode: its attributes from the headers, the body as its data. */
export function binaryEvent(rawHeaders: readonly string[], data: unknown): Record<string, unknown> {
  const event: Record<string, unknown> = Object.create(null);
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (!name.startsWith(prefix)) continue;
    const attribute = name.slice(prefix.length);
    if (carriedElsewhere.has(attribute)) throw new AppError('INVALID_REQUEST', `${name}: unknown header`);
    if (attribute in event) throw new AppError('INVALID_REQUEST', `${name}: given more than once`);
    event[attribute] = decodeValue(name, rawHeaders[index + 1]!);
  }
  return { ...event, data };
}
