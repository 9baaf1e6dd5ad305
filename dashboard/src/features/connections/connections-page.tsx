import { Alert, Stack } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { LoadMore, usePages } from '../../components/lists/load-more.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { AddConnection } from './add-connection.tsx';
import { ConnectionCard } from './connection-card.tsx';
import { type Connection, type ConnectionPage, connectionsKey } from './wire.ts';

const appOutcomes: Readonly<Record<string, string>> = {
  expired:
    'The link back from the host has expired, was already used, or belongs to somebody else. Start again.',
  refused: 'The host did not provide the App’s credentials. Start again; the server log has the reason.',
};

/** Polls often while a sync or backfill is running, and rarely otherwise. */
function pollIntervalMs(connections: readonly Connection[]): number {
  const isRunning = connections.some(
    ({ status, synced_at, backfill }) =>
      status !== 'paused' && (synced_at === null || backfill.state === 'running'),
  );
  return isRunning ? 2_000 : 15_000;
}

/** The Git hosts that feed this installation, for its admins. */
export default function ConnectionsPage() {
  const { app } = useSearch({ strict: false }) as { app?: string };
  const query = usePages<ConnectionPage>(connectionsKey, 'connections', undefined, {}, (pages) =>
    pollIntervalMs(pages.flatMap(({ data }) => data)),
  );
  const outcome = appOutcomes[app ?? ''];
  return (
    <>
      <PageTitle title="Connections" about="Git hosts whose pull requests and people this installation reads">
        <AddConnection />
      </PageTitle>
      {outcome !== undefined && (
        <Alert color="red" variant="outline" title="The App was not connected" role="alert" mb="md">
          {outcome}
        </Alert>
      )}
      <QueryState query={query}>
        {({ pages }) => {
          const connections = pages.flatMap(({ data }) => data);
          return connections.length === 0 ? (
            <Empty title="No connections yet">
              Connect an account on GitHub, GitLab, Gitea or Forgejo. Organizations, repositories and members
              are read immediately; pull requests follow automatically.
            </Empty>
          ) : (
            <Stack>
              {connections.map((connection) => (
                <ConnectionCard key={connection.id} connection={connection} />
              ))}
              <LoadMore query={query} />
            </Stack>
          );
        }}
      </QueryState>
    </>
  );
}
