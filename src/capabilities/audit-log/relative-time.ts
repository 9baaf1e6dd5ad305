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
const format = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** Says how long ago something was, in the largest whole unit: "3 hours ago"; under a minute, "just now". */
export function relativeTime(moment: Date, now: Date): string {
  const agoMs = now.getTime() - moment.getTime();
  const unit = units.find(([, unitMs]) => agoMs >= unitMs);
  return unit === undefined ? 'just now' : format.format(-Math.floor(agoMs / unit[1]), unit[0]);
}
