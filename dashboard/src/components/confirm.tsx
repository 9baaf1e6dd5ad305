import { Button, type ButtonProps, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** A button that asks for confirmation before an action that cannot be undone. */
export function ConfirmButton({
  question,
  consequence,
  confirm,
  onConfirm,
  children,
  ...button
}: ButtonProps & {
  question: string;
  consequence: string;
  confirm: string;
  onConfirm: () => void;
  children: ReactNode;
  'aria-label'?: string;
}) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button {...button} onClick={open}>
        {children}
      </Button>
      <Modal opened={isOpen} onClose={close} title={question} centered>
        <Text mb="lg">{consequence}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button
            color="red"
            onClick={() => {
              close();
              onConfirm();
            }}
          >
            {confirm}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
