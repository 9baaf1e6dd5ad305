import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../components/action.ts';
import { FormError } from '../../components/form-error.tsx';
import { api } from '../../lib/api.ts';
import { daysAgo } from '../../lib/format.ts';
import { type Connection, connectionsKey } from './wire.ts';

/** Asks for a start date, and starts reading pull requests that ended before Postil was connected. */
export function BackfillButton({ connection }: { connection: Connection }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [since, setSince] = useState(daysAgo(90));
  const start = useAction(() => api('POST', `connections/${connection.id}/backfill`, { body: { since } }), {
    invalidates: [connectionsKey],
    done: 'The backfill has started',
    showsErrorItself: true,
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    start.mutate(undefined, { onSuccess: close });
  }
  return (
    <>
      <Button
        size="xs"
        variant="default"
        disabled={connection.status === 'paused' || connection.backfill.state === 'running'}
        onClick={open}
      >
        Backfill
      </Button>
      <Modal opened={isOpen} onClose={close} title="Read earlier pull requests" centered>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">
              Reads the pull requests merged or closed since this date from the host, including the review
              comments of bots.
            </Text>
            <TextInput
              label="Since"
              type="date"
              required
              max={daysAgo(0)}
              value={since}
              onChange={(event) => setSince(event.currentTarget.value)}
              data-autofocus
            />
            <FormError error={start.error} />
            <Button type="submit" loading={start.isPending}>
              Start the backfill
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
