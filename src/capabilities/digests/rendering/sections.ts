import type { DigestContent } from '../content/digest-content.ts';

/** A line of a digest; its URL leads to a pull request. */
export interface Line {
  readonly text: string;
  readonly url?: string;
}

export interface Section {
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  readonly lines: readonly Line[];
}

/** A digest in words, the same for every format, before any escaping. */
export interface DigestText {
  readonly title: string;
  readonly period: string;
  readonly sections: readonly Section[];
}

const hour = 3600;
const day = 24 * hour;

const count = (value: number, one: string, many: string) =>
  `${value.toLocaleString('en')} ${value === 1 ? one : many}`;

function duration(seconds: number): string {
  if (seconds < hour) return count(Math.max(1, Math.round(seconds / 60)), 'minute', 'minutes');
  if (seconds < 2 * day) return count(Math.round(seconds / hour), 'hour', 'hours');
  return count(Math.round(seconds / day), 'day', 'days');
}

const dollars = (usd: number) =>
  `$${usd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

function mergedSection({ merged }: DigestContent): Section {
  const { pull_requests: now, previous, median_seconds, repositories } = merged;
  const median = median_seconds === null ? '' : ` Half of them took less than ${duration(median_seconds)}.`;
  return {
    title: 'Merged',
    summary: `${count(now, 'pull request was', 'pull requests were')} merged, ${previous.toLocaleString('en')} in the week before.${median}`,
    lines: repositories.map(({ name, pull_requests }) => ({ text: `${name}: ${pull_requests}` })),
  };
}

const named = (severity: string | null) =>
  severity === null ? 'No severity' : `${severity.charAt(0).toUpperCase()}${severity.slice(1)}`;

function findingsSection({ findings }: DigestContent): Section {
  const { posted, accepted, not_accepted, by_severity } = findings;
  const unknown = posted - accepted - not_accepted;
  return {
    title: 'Found and fixed',
    summary:
      posted === 0
        ? 'Reviews left no comments on what was merged.'
        : `Reviews left ${count(posted, 'comment', 'comments')} on what was merged: ${accepted.toLocaleString('en')} led to a change, ${not_accepted.toLocaleString('en')} did not${unknown > 0 ? `, ${unknown.toLocaleString('en')} had no known outcome` : ''}.`,
    lines: by_severity
      .filter((group) => group.posted > 0)
      .map((group) => ({
        text: `${named(group.severity)}: ${group.posted} found, ${group.accepted} fixed`,
      })),
  };
}

function stuckSection({ stuck }: DigestContent): Section {
  const lines = stuck.pull_requests.map(({ repository, number, title, url, days }) => ({
    text: `${repository} #${number}${title === null ? '' : `: ${title}`} (${count(days, 'day', 'days')})`,
    url,
  }));
  const more = stuck.count - lines.length;
  return {
    title: 'Stuck',
    summary:
      stuck.count === 0
        ? 'No open pull request has been inactive for a week.'
        : `${count(stuck.count, 'open pull request has', 'open pull requests have')} been inactive for a week or longer.`,
    lines: more > 0 ? [...lines, { text: `and ${more.toLocaleString('en')} more` }] : lines,
  };
}

function rulesSections({ quiet_rules }: DigestContent): Section[] {
  if (quiet_rules === null) return [];
  return [
    {
      title: 'Rules that went quiet',
      summary:
        quiet_rules.length === 0
          ? 'No rule went quiet.'
          : `${count(quiet_rules.length, 'rule', 'rules')} became quiet, because too few of their findings were accepted.`,
      lines: quiet_rules.map(({ rule, accepted, rejected }) => ({
        text: `${rule}: ${accepted} of ${accepted + rejected} accepted`,
      })),
    },
  ];
}

function spendingSection({ spending }: DigestContent): Section {
  const { reviews, usd, budget_usd_per_month: budget } = spending;
  const limit = budget === null ? '' : ` The budget is ${dollars(budget)} a month.`;
  return {
    title: 'Spending',
    summary: `${count(reviews, 'review', 'reviews')}, ${dollars(usd)} for the model.${limit}`,
    lines: [],
  };
}

/** Converts the content of a digest to text. */
export function describeDigest(content: DigestContent): DigestText {
  const { organization, team, start_date, end_date } = content;
  const name = team === null ? organization : `${team} (${organization})`;
  return {
    // Used in a mail header, so it must be a single line.
    title: `The week of ${name}`.replaceAll(/\s+/g, ' '),
    period: `${start_date} to ${end_date}, in UTC`,
    sections: [
      mergedSection(content),
      findingsSection(content),
      stuckSection(content),
      ...rulesSections(content),
      spendingSection(content),
    ],
  };
}
