import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';

/** A button that asks for the name of a team and does something with it. */
export function TeamNameForm({
  action,
  initialName = '',
  isPending,
  onSubmit,
  variant = 'filled',
}: {
  action: string;
  initialName?: string;
  isPending: boolean;
  /** Calls `onDone` once the server has accepted the name. */
  onSubmit: (name: string, onDone: () => void) => void;
  variant?: 'filled' | 'default';
}) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [name, setName] = useState(initialName);
  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit(name, close);
  }
  return (
    <>
      <Button
        variant={variant}
        onClick={() => {
          setName(initialName);
          open();
        }}
      >
        {action}
      </Button>
      <Modal opened={isOpen} onClose={close} title={action} centered>
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="Name"
              required
              maxLength={255}
              data-autofocus
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" loading={isPending} disabled={name.trim() === ''}>
              {action}
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
