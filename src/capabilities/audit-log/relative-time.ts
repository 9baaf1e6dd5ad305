const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const units = [
  ['year', 365 * dayMs],
  ['month', 30 * dayMs],
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const;
// Created on first use, because that takes longer than anything else here.
let formatter: Intl.RelativeTimeFormat | undefined;

/** Formats how long ago a time was, in the largest whole unit: "3 hours ago"; under a minute, "just now". */
export function formatRelativeTime(time: Date, now: Date): string {
  const agoMs = now.getTime() - time.getTime();
  const unit = units.find(([, unitMs]) => agoMs >= unitMs);
  if (unit === undefined) return 'just now';
  formatter ??= new Intl.RelativeTimeFormat('en', { numeric: 'always' });
  return formatter.format(-Math.floor(agoMs / unit[1]), unit[0]);
}
