const shape = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Tells whether the text is a real calendar date written YYYY-MM-DD. */
export function isCalendarDate(text: string): boolean {
  const match = shape.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const instantShape = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?([Zz]|[+-](\d{2}):(\d{2}))$/;

/** Reads an RFC 3339 date-time (a real date, an offset given), or gives undefined. */
export function parseInstant(text: string): Date | undefined {
  const match = instantShape.exec(text);
  if (match === null || !isCalendarDate(match[1]!)) return undefined;
  const [hour, minute, second] = match.slice(2, 5).map(Number) as [number, number, number];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  if (Number(match[7] ?? 0) > 23 || Number(match[8] ?? 0) > 59) return undefined;
  const instant = new Date(text.toUpperCase());
  return instant.getTime() >= yearOne && instant.getTime() < yearTenThousand ? instant : undefined;
}

const yearOne = Date.parse('0001-01-01T00:00:00Z');
const yearTenThousand = Date.parse('+010000-01-01T00:00:00Z');
