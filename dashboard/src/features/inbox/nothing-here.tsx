import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageLink } from '../../components/page-link.tsx';
import { Empty } from '../../components/query-state.tsx';
import { useSession, type View } from '../../lib/session.ts';
import type { InboxSummary, Tab } from './wire.ts';

/** Explains why the list is empty, and what to do about it. */
export function NothingHere({
  view,
  tab,
  summary,
  isFiltered,
}: {
  view: View;
  tab: Tab;
  summary: InboxSummary | undefined;
  isFiltered: boolean;
}) {
  const { is_installation_admin: mayConnect } = useSession();
  const title =
    tab === 'waiting'
      ? 'Nothing is waiting for you'
      : tab === 'mine'
        ? 'You have no open pull requests'
        : 'No open pull requests';
  return (
    <Empty title={isFiltered ? 'No matching pull requests' : title}>
      {isFiltered
        ? 'No open pull request matches the filters.'
        : summary && reason(view, tab, summary, mayConnect)}
    </Empty>
  );
}

function reason(
  { name }: View,
  tab: Tab,
  { all, has_account, is_connected, has_read, is_reading }: InboxSummary,
  mayConnect: boolean,
): ReactNode {
  if (!is_connected)
    return (
      <Stack gap="xxs">
        <Text inherit>No Git host is connected to {name}.</Text>
        {mayConnect ? (
          <Text inherit>
            <PageLink to="/connections">Connect a Git host</PageLink>
          </Text>
        ) : (
          <Text inherit>Whoever runs this installation can connect one.</Text>
        )}
      </Stack>
    );
  if (is_reading)
    return 'The open pull requests are being read from the Git host. They appear here automatically.';
  if (!has_read)
    return 'The Git host is connected and has no open pull requests. New ones appear automatically.';
  if (all === 0)
    return 'All pull requests that were read are merged or closed. New ones appear automatically.';
  if (!has_account && tab !== 'all')
    return `Postil knows no account of yours at the Git host of ${name}. See All for the pull requests of others.`;
  return tab === 'waiting'
    ? 'Pull requests appear here when a review is requested from you or your team, or when they change files that you own according to CODEOWNERS.'
    : 'Pull requests that you open appear here.';
}
