import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, type ReactNode, useState } from 'react';

/** A button that opens a form for a name and any additional fields, and submits it. */
export function NameForm({
  action,
  initialName = '',
  isPending,
  onSubmit,
  variant = 'filled',
  children,
}: {
  action: string;
  initialName?: string;
  isPending: boolean;
  /** Calls `onDone` once the server has accepted the name. */
  onSubmit: (name: string, onDone: () => void) => void;
  variant?: 'filled' | 'default';
  children?: ReactNode;
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
            {children}
            <Button type="submit" loading={isPending} disabled={name.trim() === ''}>
              {action}
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
