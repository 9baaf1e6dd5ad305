const dayMs = 86_400_000;

const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const instantFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const numberFormat = new Intl.NumberFormat();
const relativeFormat = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

/** A day, such as "15 Jun 2026". */
export function formatDate(text: string): string {
  return dateFormat.format(new Date(text));
}

/** A day of a chart, such as "15 Jun"; with the year if the chart does not begin in this one. */
export function formatDay(text: string, from: string, now = new Date()): string {
  return from.startsWith(String(now.getUTCFullYear())) ? dayFormat.format(new Date(text)) : formatDate(text);
}

/** A date and time in the reader's time zone. */
export function formatInstant(text: string | null): string {
  return text === null ? '–' : instantFormat.format(new Date(text));
}

export function formatNumber(value: number): string {
  return numberFormat.format(value);
}

export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(share > 0.995 || share < 0.005 ? 0 : 1)}%`;
}

/** A time relative to now, such as "in 3 days". */
export function formatRelativeTime(text: string, now = Date.now()): string {
  const minutes = Math.round((new Date(text).getTime() - now) / 60_000);
  if (Math.abs(minutes) < 60) return relativeFormat.format(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return Math.abs(hours) < 48
    ? relativeFormat.format(hours, 'hour')
    : relativeFormat.format(Math.round(hours / 24), 'day');
}

/** A name from the API in readable form: `functional_correctness` as "Functional correctness". */
export function humanize(name: string): string {
  const text = name
    .replaceAll('_', ' ')
    .replace(/^api\b/, 'API')
    .replace(/\bid(s?)$/, 'ID$1');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A server error without the API's field names: `end_date: must not precede start_date` as "End date: must not precede start date". */
export function readableError(message: string): string {
  const readable = message.split('; ').map((part) => {
    const [, field, reason] = /^(?:[\w[\]]+\.)*([a-z][a-z_]*)(?:\[\d+\])?: (.+)$/s.exec(part) ?? [];
    if (field === undefined || reason === undefined) return part;
    return `${humanize(field)}: ${reason.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => name.replaceAll('_', ' '))}`;
  });
  return readable.join('; ');
}

const providerNames: Readonly<Record<string, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  azure_devops: 'Azure DevOps',
};

export function providerName(provider: string): string {
  return providerNames[provider] ?? humanize(provider);
}

/** The day `count` days before today, as YYYY-MM-DD in UTC. */
export function daysAgo(count: number): string {
  return new Date(Date.now() - count * dayMs).toISOString().slice(0, 10);
}
