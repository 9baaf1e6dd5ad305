import { z } from 'zod';
import type { ErrorCode } from '../app-error.ts';
import { isUuid } from '../uuid.ts';
import { isCalendarDate, parseInstant } from './calendar-date.ts';
import { parseCommaList } from './comma-list.ts';
import { must } from './own-checks.ts';

/** The `params` of a zod check whose failure has its own code, such as BATCH_SIZE_EXCEEDED. */
export interface CodedFault {
  readonly errorCode: ErrorCode;
}

/** Metadata of a schema that replaces zod's own description in the OpenAPI document, for values that are sent as text. */
export interface WireMeta {
  readonly openapi: Record<string, unknown>;
}

function wire<T extends z.ZodType>(schema: T, openapi: Record<string, unknown>): T {
  return schema.meta({ openapi } satisfies WireMeta) as T;
}

/** An integer in plain decimal digits, as a query parameter. */
export function integerParameter(minimum: number, maximum: number) {
  return wire(
    z
      .string()
      .regex(/^\d{1,15}$/, 'must be a whole number in plain digits')
      .transform(Number)
      .check(
        must((value) => value >= minimum && value <= maximum, `must be between ${minimum} and ${maximum}`),
      ),
    { type: 'integer', minimum, maximum },
  );
}

/** `true` or `false`, as a query parameter. */
export const booleanParameter = wire(
  z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true'),
  { type: 'boolean' },
);

/** A comma-separated list with a limited number of values, as a query parameter. */
export function commaListParameter(maxCount: number) {
  return wire(
    z.string().transform((text, issues) => {
      const result = parseCommaList(text, maxCount);
      if (typeof result !== 'string') return result;
      issues.addIssue(result);
      return z.NEVER;
    }),
    { type: 'string', description: `Comma-separated, at most ${maxCount} values` },
  );
}

/** A real calendar date YYYY-MM-DD. */
export const dateParameter = wire(
  z.string().check(must(isCalendarDate, 'must be a calendar date written as YYYY-MM-DD')),
  {
    type: 'string',
    format: 'date',
  },
);

interface Window {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

/** A check that a window's end is not before its start, if both are given. */
export const daysInOrder = must<Window>(
  ({ start_date, end_date }) => !start_date || !end_date || start_date <= end_date,
  { path: ['end_date'], error: 'must not precede start_date' },
);

/** A date-time with an offset (RFC 3339), parsed into a Date. */
export const instant = wire(
  z.string().transform((text, issues) => {
    const date = parseInstant(text);
    if (date !== undefined) return date;
    issues.addIssue('must be a date-time with an offset, such as 2026-01-31T09:00:00Z');
    return z.NEVER;
  }),
  { type: 'string', format: 'date-time' },
);

/** A date-time with an offset, or a calendar date meaning the start or end of that day in UTC. */
export function instantOrDay(edge: 'start' | 'end') {
  return wire(
    z.string().transform((text, issues) => {
      const time = edge === 'start' ? 'T00:00:00.000Z' : 'T23:59:59.999Z';
      const date = parseInstant(isCalendarDate(text) ? `${text}${time}` : text);
      if (date !== undefined) return date;
      issues.addIssue(
        'must be a date, such as 2026-01-31, or a date-time with an offset, such as 2026-01-31T09:00:00Z',
      );
      return z.NEVER;
    }),
    {
      type: 'string',
      description: `A date-time with an offset, or a date: the ${edge} of that day in UTC`,
    },
  );
}

/** A UUID in a path or body, converted to lower case. */
export const uuid = wire(
  z
    .string()
    .check(must(isUuid, 'must be a UUID'))
    .transform((text) => text.toLowerCase()),
  { type: 'string', format: 'uuid' },
);

/**
 * An array whose length is checked before its elements, so that a huge one is rejected cheaply; each limit has its own
 * message.
 */
export function sizedArray<Item extends z.ZodType>(
  item: Item,
  {
    minimum,
    maximum,
    tooFew,
    tooMany,
  }: { minimum: number; maximum: number; tooFew: string; tooMany: CodedFault & { error: string } },
) {
  const { $schema: _, ...items } = z.toJSONSchema(item, { io: 'input' });
  return wire(
    z
      .array(z.unknown())
      .min(minimum, tooFew)
      .check(
        must((list) => list.length <= maximum, {
          error: tooMany.error,
          params: { errorCode: tooMany.errorCode },
        }),
      )
      .pipe(z.array(item)),
    { type: 'array', minItems: minimum, maxItems: maximum, items },
  );
}

const maxUsers = 500;

/** 1 to 500 users; a larger batch has its own error code. */
export function userBatch<Item extends z.ZodType>(item: Item) {
  return sizedArray(item, {
    minimum: 1,
    maximum: maxUsers,
    tooFew: 'must name at least one user',
    tooMany: { error: `must not contain more than ${maxUsers} users`, errorCode: 'BATCH_SIZE_EXCEEDED' },
  });
}

/** The opaque cursor of a page. */
export const cursorParameter = wire(z.string().min(1).max(4096), {
  type: 'string',
  description: 'The `next_cursor` of the previous page, with the same filters',
});

const maxUrlLength = 2048;

/** Whether a text is an http or https URL. Following a URL of another scheme could run untrusted code. */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}\p{Cf}]+$/iu.test(text) && URL.canParse(text);
}

/** A URL that is shown to people or requested. */
export const httpUrl = wire(
  z.string().max(maxUrlLength).check(must(isHttpUrl, 'must be an http or https URL')),
  { type: 'string', format: 'uri', maxLength: maxUrlLength, description: 'An http or https URL' },
);

/** An id assigned by a Git provider. */
export const providerId = z.string().min(1).max(255);

/** A date-time in a response. */
export const wireInstant = z.string().meta({ format: 'date-time' });

/** A UUID in a response. */
export const wireUuid = z.string().meta({ format: 'uuid' });
