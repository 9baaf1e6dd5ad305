import { Alert, Badge, Button, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAction } from '../../components/action.ts';
import { ConfirmButton } from '../../components/confirm.tsx';
import { api } from '../../lib/api.ts';
import { formatDate, formatNumber, formatRelativeTime } from '../../lib/format.ts';
import { BackfillButton } from './backfill-button.tsx';
import { CheckButton } from './check-button.tsx';
import { DeliveriesButton } from './host-deliveries-button.tsx';
import { type Connection, connectionsKey, hostNames } from './wire.ts';

const statusColors = { ready: 'teal', failing: 'red', paused: 'gray' } as const;
const statusLabels = { ready: 'Ready', failing: 'Failing', paused: 'Paused' } as const;

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="sm" component="div">
        {children}
      </Text>
    </div>
  );
}

const relativeTime = (instant: string | null) => (instant === null ? 'Never' : formatRelativeTime(instant));

function Facts({ connection }: { connection: Connection }) {
  const { health, organizations, synced_at } = connection;
  return (
    <SimpleGrid cols={{ base: 2, md: 5 }} spacing="sm">
      <Fact label="Organizations">
        {synced_at === null ? 'Reading …' : organizations.join(', ') || 'None yet'}
      </Fact>
      <Fact label="Last read">{relativeTime(health.last_read_at)}</Fact>
      <Fact label="Last delivery">{relativeTime(health.last_delivery_at)}</Fact>
      <Fact label="Waiting deliveries">
        {health.waiting === 0
          ? 'None'
          : `${formatNumber(health.waiting)}, since ${relativeTime(health.oldest_waiting_at)}`}
      </Fact>
    </SimpleGrid>
  );
}

function Backfill({ backfill }: { backfill: Connection['backfill'] }) {
  const { state, since, done, total } = backfill;
  if (state === 'none' || since === null) return null;
  const share = total === 0 ? (state === 'done' ? 100 : 0) : (done / total) * 100;
  const label = { running: 'Reading', done: 'Read', failed: 'Partly read:' }[state];
  return (
    <div>
      <Text size="sm" mb="xxs">
        {label} {formatNumber(done)} of {formatNumber(total)} pull requests merged or closed since{' '}
        {formatDate(since)}
      </Text>
      <Progress
        value={share}
        color={state === 'failed' ? 'red' : 'indigo'}
        animated={state === 'running'}
        aria-label="Pull requests read"
      />
    </div>
  );
}

function Problems({
  connection: { status, health, webhook, synced_at, organizations },
}: {
  connection: Connection;
}) {
  return (
    <>
      {status === 'failing' && health.last_error !== null && (
        <Alert color="red" variant="outline" title="The host refuses requests or is unavailable" role="alert">
          {health.last_error.message} ({formatRelativeTime(health.last_error.at)}). Postil keeps trying.
        </Alert>
      )}
      {webhook.instructions.map(({ organization, text }) => (
        <Alert key={organization} color="orange" variant="outline" title={`Action needed in ${organization}`}>
          {text}
        </Alert>
      ))}
      {synced_at !== null && organizations.length === 0 && (
        <Alert color="orange" variant="outline" title="The account cannot see any organization">
          Add the account to an organization, or install the App on one, then sync.
        </Alert>
      )}
    </>
  );
}

/** One connection with its health and actions. */
export function ConnectionCard({ connection }: { connection: Connection }) {
  const { id, provider, url, account, status } = connection;
  const name = `${account.username} on ${new URL(url).host}`;
  const isPaused = status === 'paused';
  const invalidates = [connectionsKey];
  const sync = useAction(() => api('POST', `connections/${id}/sync`), {
    invalidates,
    done: 'The sync has started',
  });
  const pause = useAction(
    () => api('PATCH', `connections/${id}`, { body: { status: isPaused ? 'ready' : 'paused' } }),
    { invalidates, done: isPaused ? 'Resumed' : 'Paused' },
  );
  const remove = useAction(() => api('DELETE', `connections/${id}`), {
    invalidates,
    done: 'The connection was removed',
  });
  const button = { size: 'xs', variant: 'default' } as const;
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'lg' }} component="article" aria-label={name}>
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <div style={{ minWidth: 0 }}>
            <Title order={2} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Title>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {hostNames[provider] ?? provider} at {url}
            </Text>
          </div>
          <Badge color={statusColors[status]}>{statusLabels[status]}</Badge>
        </Group>
        <Problems connection={connection} />
        <Facts connection={connection} />
        <Backfill backfill={connection.backfill} />
        <Group gap="xs">
          <CheckButton connection={connection} name={name} />
          <Button
            {...button}
            loading={sync.isPending}
            disabled={isPaused}
            onClick={() => sync.mutate(undefined)}
          >
            Sync
          </Button>
          <BackfillButton connection={connection} />
          <DeliveriesButton connection={connection} name={name} />
          <Button {...button} loading={pause.isPending} onClick={() => pause.mutate(undefined)}>
            {isPaused ? 'Resume' : 'Pause'}
          </Button>
          <ConfirmButton
            {...button}
            question={`Remove ${name}?`}
            consequence="Its credentials are deleted and its webhook at the host is removed. Data that came through it stays."
            confirm="Remove"
            onConfirm={() => remove.mutate(undefined)}
          >
            Remove
          </ConfirmButton>
        </Group>
      </Stack>
    </Paper>
  );
}
