import { Alert, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useAction } from '../../components/action.ts';
import { ConfirmButton } from '../../components/confirm.tsx';
import { api } from '../../lib/api.ts';
import { formatInstant, formatRelativeTime } from '../../lib/format.ts';
import type { View } from '../../lib/session.ts';
import { EditWebhook } from './edit-webhook.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { DeliveriesButton } from './webhook-deliveries-button.tsx';
import { labelOfType, type Webhook, webhooksKey } from './wire.ts';

function statusOf({ active, failing_since }: Webhook): { label: string; color: string } {
  if (!active) return { label: 'Paused', color: 'gray' };
  return failing_since === null ? { label: 'Active', color: 'teal' } : { label: 'Failing', color: 'red' };
}

function Problems({ webhook: { active, notice, failing_since } }: { webhook: Webhook }) {
  if (notice !== null)
    return (
      <Alert
        color="red"
        variant="outline"
        role="alert"
        title={`Paused by the server ${formatRelativeTime(notice.at)}`}
      >
        Reason: {notice.message}. Check the receiver, send a test event, then resume the webhook; waiting
        events are sent then.
      </Alert>
    );
  if (!active || failing_since === null) return null;
  return (
    <Alert color="orange" variant="outline" title={`Failing since ${formatInstant(failing_since)}`}>
      Deliveries are retried for 3 days, then the webhook is paused.
    </Alert>
  );
}

/** One webhook with its state and actions. */
export function WebhookCard({ webhook, view }: { webhook: Webhook; view: View }) {
  const { id, url, types, active } = webhook;
  const { host } = new URL(url);
  const status = statusOf(webhook);
  const invalidates = [webhooksKey(view.id), ['webhook-deliveries', id]];
  const test = useAction(() => api('POST', `webhooks/${id}/test`, { scope: view }), {
    invalidates,
    done: 'A test event is on its way; see Deliveries',
  });
  const pause = useAction(() => api('PATCH', `webhooks/${id}`, { scope: view, body: { active: !active } }), {
    invalidates,
    done: active ? 'Paused' : 'Resumed',
  });
  const remove = useAction(() => api('DELETE', `webhooks/${id}`, { scope: view }), {
    invalidates,
    done: 'The webhook was removed',
  });
  const button = { size: 'xs', variant: 'default' } as const;
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'lg' }} component="article" aria-label={`Webhook to ${host}`}>
      <Stack gap="md">
        <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
          <Title order={2} style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
            {url}
          </Title>
          <Badge color={status.color} style={{ flexShrink: 0 }}>
            {status.label}
          </Badge>
        </Group>
        <Problems webhook={webhook} />
        <Text size="sm" c="dimmed">
          {types.map(labelOfType).join(' · ')}
        </Text>
        <Group gap="xs">
          <Button {...button} loading={test.isPending} onClick={() => test.mutate(undefined)}>
            Send test
          </Button>
          <DeliveriesButton {...button} webhook={webhook} view={view} />
          <EditWebhook {...button} webhook={webhook} view={view} />
          <Button {...button} loading={pause.isPending} onClick={() => pause.mutate(undefined)}>
            {active ? 'Pause' : 'Resume'}
          </Button>
          <RotateSecret {...button} webhook={webhook} view={view} />
          <ConfirmButton
            {...button}
            question={`Remove the webhook to ${host}?`}
            consequence="Nothing more is sent to it, and its deliveries are deleted. This cannot be undone."
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
