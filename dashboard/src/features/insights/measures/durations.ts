const units = [
  { name: 'min', ms: 60_000, digits: 0 },
  { name: 'h', ms: 3_600_000, digits: 1 },
  { name: 'days', ms: 86_400_000, digits: 1 },
] as const;

type DurationUnit = (typeof units)[number];

/** The unit in which a span of time is easiest to read. */
export function durationUnit(ms: number): DurationUnit {
  const [minutes, hours, days] = units;
  if (ms < hours.ms) return minutes;
  return ms < 2 * days.ms ? hours : days;
}

/** A span of time as a number of units, without the unit. */
export function countUnits(ms: number, unit: DurationUnit): string {
  return (ms / unit.ms).toFixed(unit.digits);
}

/** How long something took, such as "3.2 h"; a dash if either end is unknown. */
export function formatElapsed(start: string | null, end: string | null): string {
  if (start === null || end === null) return '–';
  const ms = Math.max(0, Date.parse(end) - Date.parse(start));
  const unit = durationUnit(ms);
  return `${countUnits(ms, unit)} ${unit.name}`;
}
