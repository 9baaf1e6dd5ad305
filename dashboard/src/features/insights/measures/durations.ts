const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A span of time in its largest fitting unit, such as "3.2 h". */
export function formatDuration(ms: number): string {
  if (ms < hourMs) return `${Math.round(ms / minuteMs)} min`;
  if (ms < 2 * dayMs) return `${(ms / hourMs).toFixed(1)} h`;
  return `${(ms / dayMs).toFixed(1)} days`;
}

/** How long something took; a dash if either end is unknown. */
export function formatElapsed(start: string | null, end: string | null): string {
  if (start === null || end === null) return '–';
  return formatDuration(Math.max(0, Date.parse(end) - Date.parse(start)));
}
