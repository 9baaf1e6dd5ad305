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
      ? 'Nothing waits for you'
      : tab === 'mine'
        ? 'You have no open pull requests'
        : 'No open pull requests';
  return (
    <Empty title={isFiltered ? 'No matching pull requests' : title}>
      {isFiltered
        ? 'No open pull request matches the filters: change or remove one.'
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
    return 'The pull requests that are open at the Git host are being read. They appear here by themselves.';
  if (!has_read)
    return 'The Git host is connected, and no pull request was open there. New ones appear by themselves.';
  if (all === 0)
    return 'Every pull request that was read is merged or closed. New ones appear by themselves.';
  if (!has_account && tab !== 'all')
    return `You have no account at the Git host of ${name} that Postil knows, so nothing can be yours: see All.`;
  return tab === 'waiting'
    ? 'Pull requests appear here when your review, or that of a team of yours, is asked for, and when they change what you own by CODEOWNERS.'
    : 'Pull requests that you open appear here.';
}
