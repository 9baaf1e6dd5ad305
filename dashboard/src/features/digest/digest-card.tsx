import { Badge, Button, Group, List, Modal, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useAction } from '../../components/action.ts';
import { ConfirmButton } from '../../components/confirm.tsx';
import { api } from '../../lib/api.ts';
import { formatDate, formatInstant, formatNumber } from '../../lib/format.ts';
import type { View } from '../../lib/session.ts';
import { type DigestFields, DigestForm } from './digest-form.tsx';
import { PreviewButton } from './preview-button.tsx';
import {
  chatLabels,
  type Digest,
  digestsKey,
  nameOf,
  type Sending,
  type TestResult,
  weekdays,
} from './wire.ts';

const button = { size: 'xs', variant: 'default' } as const;

const stateLabels: Readonly<Record<Sending['state'], string>> = {
  waiting: 'waiting for a retry',
  claimed: 'is being sent',
  sending: 'is being sent',
  sent: 'sent',
  failed: 'not sent',
  unknown: 'unknown, may have arrived',
  dropped: 'stopped',
};

function Last({ last }: Pick<Digest, 'last'>) {
  if (last === null) return <Text c="dimmed">Not sent yet.</Text>;
  const troubles = last.sendings.filter(({ error }) => error !== null);
  const sent = last.sendings.filter(({ state }) => state === 'sent').length;
  return (
    <>
      <Text>
        Week ending {formatDate(last.end_date)}: {formatNumber(sent)} of {formatNumber(last.sendings.length)}{' '}
        sent.
      </Text>
      {troubles.length > 0 && (
        <List spacing="xxs" aria-label="Failed deliveries">
          {troubles.map(({ recipient, state, error }) => (
            <List.Item key={recipient} style={{ overflowWrap: 'anywhere' }}>
              {recipient}: {stateLabels[state]} ({error})
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
}

function EditButton({ digest, view, hasMail }: { digest: Digest; view: View; hasMail: boolean }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const change = useAction(
    (fields: DigestFields) => api('PATCH', `digests/${digest.id}`, { scope: view, body: fields }),
    { invalidates: [digestsKey(view.id)], done: 'Saved', showsErrorItself: true },
  );
  return (
    <>
      <Button {...button} onClick={open}>
        Edit
      </Button>
      <Modal opened={isOpen} onClose={close} title={nameOf(digest)} centered>
        <DigestForm
          initial={digest}
          hasMail={hasMail}
          submit="Save"
          error={change.error}
          isPending={change.isPending}
          onSubmit={(fields) => change.mutate(fields, { onSuccess: close })}
        />
      </Modal>
    </>
  );
}

function TestButtons({ digest, view, hasMail }: { digest: Digest; view: View; hasMail: boolean }) {
  const test = useAction(
    (channel: 'mail' | 'chat') =>
      api<TestResult>('POST', `digests/${digest.id}/test`, { scope: view, body: { channel } }),
    {
      invalidates: [],
      done: ({ ok, message }) => (ok ? message : { message, isTotal: true }),
    },
  );
  return (
    <>
      {hasMail && (
        <Button {...button} loading={test.isPending} onClick={() => test.mutate('mail')}>
          Send test mail to me
        </Button>
      )}
      {digest.chat !== null && (
        <Button {...button} loading={test.isPending} onClick={() => test.mutate('chat')}>
          Send test to chat
        </Button>
      )}
    </>
  );
}

function describe({ weekday, hour, recipients, chat }: Digest): string {
  const day = weekdays[weekday - 1];
  const mails = recipients.length === 1 ? '1 address' : `${formatNumber(recipients.length)} addresses`;
  const where = chat === null ? mails : `${mails} and ${chatLabels[chat.kind]} (${chat.host})`;
  return `${day} at ${String(hour).padStart(2, '0')}:00 UTC to ${where}`;
}

/** A digest with its schedule, the result of its last delivery, and actions for admins. */
export function DigestCard({ digest, view, hasMail }: { digest: Digest; view: View; hasMail: boolean }) {
  const { id, active } = digest;
  const invalidates = [digestsKey(view.id)];
  const pause = useAction(() => api('PATCH', `digests/${id}`, { scope: view, body: { active: !active } }), {
    invalidates,
    done: active ? 'Paused' : 'Resumed',
  });
  const remove = useAction(() => api('DELETE', `digests/${id}`, { scope: view }), {
    invalidates,
    done: 'The digest was removed',
  });
  const name = nameOf(digest);
  const waitsForMail = digest.recipients.length > 0 && !hasMail;
  const isSent = active && !(waitsForMail && digest.chat === null);
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'lg' }} component="article" aria-label={`Digest: ${name}`}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={3} style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
            {name}
          </Title>
          <Badge color={isSent ? 'teal' : 'gray'} style={{ flexShrink: 0 }}>
            {active ? (isSent ? 'Active' : 'Not sent') : 'Paused'}
          </Badge>
        </Group>
        <Text style={{ overflowWrap: 'anywhere' }}>
          {describe(digest)}
          {active && `; next ${formatInstant(digest.next_due_at)}`}
        </Text>
        {active && waitsForMail && (
          <Text>No mails are sent until whoever runs this installation sets POSTIL_SMTP_URL.</Text>
        )}
        <Last last={digest.last} />
        <Group gap="xs">
          <PreviewButton {...button} view={view} teamId={digest.team?.id} />
          <TestButtons digest={digest} view={view} hasMail={hasMail} />
          <EditButton digest={digest} view={view} hasMail={hasMail} />
          <Button {...button} loading={pause.isPending} onClick={() => pause.mutate(undefined)}>
            {active ? 'Pause' : 'Resume'}
          </Button>
          <ConfirmButton
            {...button}
            question={`Remove the digest of ${name}?`}
            consequence="It is no longer sent, and its delivery history is deleted. This cannot be undone."
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
