import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/properties.ts';
import { isCalendarDate, parseInstant } from './calendar-date.ts';

const digits = (count: number) =>
  fc.integer({ min: 0, max: 10 ** count - 1 }).map((n) => String(n).padStart(count, '0'));

test('a date is valid exactly if it exists in the calendar', () => {
  fc.assert(
    fc.property(digits(4), digits(2), digits(2), (year, month, day) => {
      const text = `${year}-${month}-${day}`;
      const date = new Date(`${text}T00:00:00Z`);
      const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) && year !== '0000';
      assert.equal(isCalendarDate(text), isReal, text);
    }),
    {
      examples: [
        ['2024', '02', '29'],
        ['2026', '02', '29'],
        ['2000', '02', '29'],
        ['1900', '02', '29'],
      ],
    },
  );
});

test('an instant is parsed exactly if its date exists and its time and offset are in range', () => {
  const offset = fc.oneof(
    fc.constant('Z'),
    fc.tuple(fc.constantFrom('+', '-'), digits(2), digits(2)).map(([sign, h, m]) => `${sign}${h}:${m}`),
  );
  fc.assert(
    fc.property(
      digits(4),
      digits(2),
      digits(2),
      digits(2),
      digits(2),
      digits(2),
      offset,
      (year, month, day, h, m, s, zone) => {
        const text = `${year}-${month}-${day}T${h}:${m}:${s}${zone}`;
        const inRange =
          h < '24' &&
          m < '60' &&
          s < '60' &&
          (zone === 'Z' || (zone.slice(1, 3) < '24' && zone.slice(4) < '60'));
        const read = parseInstant(text);
        if (!inRange || !isCalendarDate(`${year}-${month}-${day}`)) assert.equal(read, undefined, text);
        else if (read !== undefined) assert.equal(read.getTime(), Date.parse(text));
      },
    ),
    { numRuns: 2000 },
  );
});

test('an instant needs an offset, may use lower case and fractions of a second, and must be in the years 1 to 9999', () => {
  assert.equal(parseInstant('2026-01-31T09:00:00'), undefined);
  assert.equal(parseInstant('2026-01-31 09:00:00Z'), undefined);
  assert.equal(parseInstant('2026-02-30T09:00:00Z'), undefined);
  assert.equal(parseInstant('2026-01-31t09:00:00.123456789z')?.toISOString(), '2026-01-31T09:00:00.123Z');
  assert.equal(parseInstant('2026-01-31T00:30:00+02:00')?.toISOString(), '2026-01-30T22:30:00.000Z');
  assert.equal(parseInstant('9999-12-31T23:59:59Z')?.getUTCFullYear(), 9999);
  assert.equal(parseInstant('9999-12-31T23:59:59-01:00'), undefined);
  assert.equal(parseInstant('0001-01-01T00:00:00+01:00'), undefined);
});
