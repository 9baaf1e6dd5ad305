import { Alert, Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../components/action.ts';
import { api } from '../../lib/api.ts';
import { daysAgo } from '../../lib/format.ts';
import { type Connection, connectionsKey } from './wire.ts';

/** Asks since when, and begins to read pull requests that ended before Postil was connected. */
export function BackfillButton({ connection }: { connection: Connection }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [since, setSince] = useState(daysAgo(90));
  const begin = useAction(() => api('POST', `connections/${connection.id}/backfill`, { body: { since } }), {
    invalidates: [connectionsKey],
    done: 'The backfill has begun',
    showsErrorItself: true,
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    begin.mutate(undefined, { onSuccess: close });
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
              Pull requests that were merged or closed since this day are read from the host, with the review
              comments of bots on them.
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
            {begin.isError && (
              <Alert color="red" variant="outline" role="alert">
                {begin.error.message}
              </Alert>
            )}
            <Button type="submit" loading={begin.isPending}>
              Begin the backfill
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
