import type { IncomingHttpHeaders } from 'node:http';

/** The headers that may carry an API key: the usual one first, then those that the operator has added. */
export function keyHeaderNames(aliases: readonly string[]): readonly string[] {
  return ['x-service-api-key', ...aliases];
}

/** The value of the first of these headers that was sent. */
export function keyValueOf(headers: IncomingHttpHeaders, names: readonly string[]): string | undefined {
  return names.map((name) => single(headers[name])).find((value) => value !== undefined);
}

/** The token in `Authorization: Bearer`. */
export function bearerOf(headers: IncomingHttpHeaders): string | undefined {
  return /^Bearer (.+)$/i.exec(single(headers.authorization) ?? '')?.[1];
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? undefined : header;
}
