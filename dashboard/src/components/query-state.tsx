import { Alert, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../lib/api.ts';
import { readableError } from '../lib/format.ts';

const advice: Record<string, string> = {
  ENTERPRISE_REQUIRED: 'This requires the Enterprise plan. Contact whoever runs this installation.',
  PERMISSION_DENIED: 'Your role does not allow this. An admin of the organization can change your role.',
  NOT_ADMIN: 'Only admins can do this. An admin of the organization can change your role.',
  METRICS_UNAVAILABLE:
    'Metrics are turned off for this organization. Whoever runs this installation can turn them on.',
  METRICS_PREPARING: 'Metrics are being moved to separate storage. Try again in a moment.',
  RATE_LIMIT_EXCEEDED: 'Wait a moment, then try again.',
  RESPONSE_TOO_LARGE: 'Choose a shorter period or fewer repositories.',
  KEY_TYPE_FORBIDDEN: 'Choose a single organization to see this.',
  ORG_ID_REQUIRED: 'Choose a single organization to see this.',
};

/** What went wrong, and what to do next. */
export function ErrorMessage({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const code = error instanceof ApiError ? error.code : '';
  return (
    <Alert color="red" variant="outline" title={readableError(error.message)} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {advice[code] ?? 'Try again. If it keeps happening, contact whoever runs this installation.'}
        </Text>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** Nothing to show, and what would change that. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Paper withBorder p="xl" ta="center">
      <Title order={2}>{title}</Title>
      {children && (
        <Text c="dimmed" mt="xs" component="div">
          {children}
        </Text>
      )}
    </Paper>
  );
}

export function Loading({ lines = 5 }: { lines?: number }) {
  return (
    <Stack gap="sm" aria-busy="true" role="status">
      <Text className="visually-hidden">Loading</Text>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
        <Skeleton key={index} height={index === 0 ? 90 : 36} radius="sm" />
      ))}
    </Stack>
  );
}

/** Shows a loading state, an error, or the data. */
export function QueryState<Data>({
  query,
  lines,
  children,
}: {
  query: UseQueryResult<Data>;
  lines?: number;
  children: (data: Data) => ReactNode;
}) {
  if (query.isPending) return <Loading {...(lines !== undefined && { lines })} />;
  if (query.isError) return <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />;
  return <>{children(query.data)}</>;
}

export function PageTitle({
  title,
  about,
  children,
}: {
  title: string;
  about?: string;
  children?: ReactNode;
}) {
  return (
    <Group justify="space-between" align="flex-end" mb="lg" gap="sm">
      <title>{`${title} · Postil`}</title>
      <div style={{ flex: '1 1 280px' }}>
        <Title order={1}>{title}</Title>
        {about && <Text c="dimmed">{about}</Text>}
      </div>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}
