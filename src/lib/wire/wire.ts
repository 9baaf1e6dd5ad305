import { z } from 'zod';
import type { ErrorCode } from '../app-error.ts';
import { isUuid } from '../uuid.ts';
import { isCalendarDate, parseInstant } from './calendar-date.ts';
import { parseCommaList } from './comma-list.ts';

/** Put on a zod check (`params`) whose failure has a code of its own, such as BATCH_SIZE_EXCEEDED. */
export interface CodedFault {
  readonly errorCode: ErrorCode;
}

/** Replaces, in the OpenAPI document, what zod would say of a value that arrives as text. */
export interface WireMeta {
  readonly openapi: Record<string, unknown>;
}

function wire<T extends z.ZodType>(schema: T, openapi: Record<string, unknown>): T {
  return schema.meta({ openapi } satisfies WireMeta) as T;
}

/** A whole number in plain decimal digits, as a query parameter. */
export function integerParameter(minimum: number, maximum: number) {
  return wire(
    z
      .string()
      .regex(/^\d{1,15}$/, 'must be a whole number in plain digits')
      .transform(Number)
      .refine((value) => value >= minimum && value <= maximum, `must be between ${minimum} and ${maximum}`),
    { type: 'integer', minimum, maximum },
  );
}

/** `true` or `false`, as a query parameter. */
export const booleanParameter = wire(
  z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true'),
  { type: 'boolean' },
);

/** A comma-separated list of at most so many values, as a query parameter. */
export function commaListParameter(maximumCount: number) {
  return wire(
    z.string().transform((text, issues) => {
      const result = parseCommaList(text, maximumCount);
      if (typeof result !== 'string') return result;
      issues.addIssue(result);
      return z.NEVER;
    }),
    { type: 'string', description: `Comma-separated, at most ${maximumCount} values` },
  );
}

/** A real calendar date YYYY-MM-DD. */
export const dateParameter = wire(
  z.string().refine(isCalendarDate, 'must be a calendar date written YYYY-MM-DD'),
  {
    type: 'string',
    format: 'date',
  },
);

/** A date-time with offset (RFC 3339), read into a Date. */
export const instant = wire(
  z.string().transform((text, issues) => {
    const date = parseInstant(text);
    if (date !== undefined) return date;
    issues.addIssue('must be a date-time with an offset, such as 2026-01-31T09:00:00Z');
    return z.NEVER;
  }),
  { type: 'string', format: 'date-time' },
);

/** A date-time with offset, or a calendar date that stands for the start or the end of its day in UTC. */
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

/** A UUID in a path or body, made lower case. */
export const uuid = wire(
  z
    .string()
    .refine(isUuid, 'must be a UUID')
    .transform((text) => text.toLowerCase()),
  { type: 'string', format: 'uuid' },
);

/** A list whose length is checked before its elements, so that a huge one costs nothing; both limits have a sentence. */
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
      .min(minimum, { error: tooFew, abort: true })
      .refine((list) => list.length <= maximum, {
        error: tooMany.error,
        params: { errorCode: tooMany.errorCode },
        abort: true,
      })
      .pipe(z.array(item)),
    { type: 'array', minItems: minimum, maxItems: maximum, items },
  );
}

/** The opaque cursor of a page. */
export const cursorParameter = wire(z.string().min(1).max(4096), {
  type: 'string',
  description: 'The `next_cursor` of the previous page, with the same filters',
});

/** An id given by a Git provider. */
export const providerId = z.string().min(1).max(255);

/** A date-time in an answer. */
export const wireInstant = z.string().meta({ format: 'date-time' });

/** A UUID in an answer. */
export const wireUuid = z.string().meta({ format: 'uuid' });
