const shape = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether the text is a real calendar date written as YYYY-MM-DD. */
export function isCalendarDate(text: string): boolean {
  const match = shape.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const instantShape =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const yearOne = Date.parse('0001-01-01T00:00:00Z');
const yearTenThousand = Date.parse('+010000-01-01T00:00:00Z');

/** Parses an RFC 3339 date-time (a real date, with an offset, in the years 1 to 9999 UTC); undefined if it is not one. */
export function parseInstant(text: string): Date | undefined {
  if (!instantShape.test(text)) return undefined;
  // Every month has 28 days, so only later days need the costly calendar check.
  if (text.slice(8, 10) > '28' && !isCalendarDate(text.slice(0, 10))) return undefined;
  const instant = new Date(text.toUpperCase());
  return instant.getTime() >= yearOne && instant.getTime() < yearTenThousand ? instant : undefined;
}
