import { InvalidArgumentError, Option } from 'commander';
import { isCalendarDate, parseInstant } from '../lib/wire/calendar-date.ts';

const dayMs = 86_400_000;

/** Parses an option that is a date, a date-time, or a number of days from now such as 90d. */
export function parseMoment(direction: 'ahead' | 'ago'): (text: string) => string {
  return (text) => {
    const days = /^(\d{1,5})d$/.exec(text)?.[1];
    if (days !== undefined)
      return new Date(Date.now() + (direction === 'ahead' ? 1 : -1) * Number(days) * dayMs).toISOString();
    if (isCalendarDate(text)) return `${text}T00:00:00Z`;
    if (parseInstant(text) !== undefined) return text;
    throw new InvalidArgumentError(
      'Use a date such as 2027-06-30, a date-time with an offset such as 2027-06-30T09:00:00Z, or a number of days such as 90d.',
    );
  };
}

/** Parses an option that is a comma-separated list. */
export function parseList(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) throw new InvalidArgumentError('An item is missing between two commas.');
  return items;
}

/** Parses an option that is a whole number in a range. */
export function parseCount(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Use a whole number from ${min} to ${max}.`);
  };
}

/** The option for a Git provider. `forgejo` is accepted as a name for `gitea`, which Postil treats it as. */
export function providerOption(description: string, providers: readonly string[]): Option {
  const option = new Option('--provider <provider>', description).choices([...providers, 'forgejo']);
  const check = option.parseArg!;
  return option.argParser((text: string, previous: unknown) =>
    check(text, previous) === 'forgejo' ? 'gitea' : text,
  );
}
