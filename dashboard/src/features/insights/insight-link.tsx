import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useView } from '../../lib/session.ts';
import { type InsightFilters, useKeptSearch } from './filters/insight-filters.ts';

/** A link to the data behind a number or bar, with the same window and filters. */
export function InsightLink({
  page,
  organization,
  filters = {},
  label,
  children,
}: {
  /** The path of the page within the view. */
  page: string;
  /** The organization to look into, if the view is a workspace. */
  organization?: string;
  filters?: InsightFilters & { from?: string; to?: string };
  label?: string;
  children: ReactNode;
}) {
  const view = useView();
  const keep = useKeptSearch();
  const { from, to, ...changed } = filters;
  const window = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const place = organization === undefined ? `${view.kind}s/${view.id}` : `organizations/${organization}`;
  return (
    <Anchor
      inherit
      renderRoot={(props) => (
        <Link
          {...props}
          to={`/${place}/${page}` as never}
          search={{ ...keep(page, changed), ...window } as never}
        />
      )}
      {...(label !== undefined && { 'aria-label': label })}
    >
      {children}
    </Anchor>
  );
}

/** The page of a repository within its organization. */
export const repositoryPage = (repositoryId: string) => `repositories/${encodeURIComponent(repositoryId)}`;

/** The page of a pull request within its organization. */
export const pullRequestPage = (repositoryId: string, number: number) =>
  `pull-requests/${encodeURIComponent(repositoryId)}/${number}`;
