import { Alert, Text } from '@mantine/core';
import { formatInstant } from '../../lib/format.ts';
import type { TeamPage } from './wire.ts';

/** Whether the teams of the Git host have been read, or why they could not be. */
export function HostTeams({ state: { status, read_at, message } }: { state: TeamPage['host_teams'] }) {
  if (status === 'not_connected')
    return (
      <Text size="sm" c="dimmed" mb="md">
        Teams of the Git host appear here once a connection serves this organization.
      </Text>
    );
  const lastRead = read_at === null ? 'They have not been read yet.' : `Last read ${formatInstant(read_at)}.`;
  if (status === 'ready')
    return (
      <Text size="sm" c="dimmed" mb="md">
        Teams of the Git host are read every hour. {lastRead}
      </Text>
    );
  return (
    <Alert color="orange" variant="outline" mb="md" title="The teams of the Git host cannot be read">
      {message}. {lastRead} Postil tries again every hour.
    </Alert>
  );
}
