import type { z } from 'zod';
import type { inboxPage, inboxSummary } from '../../../../src/capabilities/inbox/schemas.ts';

export type InboxPage = z.output<typeof inboxPage>;
export type InboxPull = InboxPage['data'][number];
export type InboxSummary = z.output<typeof inboxSummary>;

export const tabs = [
  { value: 'waiting', label: 'Waiting for me' },
  { value: 'mine', label: 'Mine' },
  { value: 'all', label: 'All' },
] as const;
export type Tab = (typeof tabs)[number]['value'];

/** Why a pull request waits for somebody, in words. */
export const waitsBecause: Readonly<Record<NonNullable<InboxPull['waits_because']>, string>> = {
  asked: 'your review is requested',
  team: 'your team’s review is requested',
  owner: 'you own changed files',
};

export const riskColors = { high: 'red', medium: 'yellow', low: 'gray' } as const;

/** A few pages are small enough to be polled often; with more pages loaded, they are polled less often. */
export function pollIntervalMs(pages: readonly InboxPage[]): number {
  return pages.length <= 3 ? 15_000 : 60_000;
}
