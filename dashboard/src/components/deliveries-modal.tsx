import { Button, type ButtonProps, Modal, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { humanize } from '../lib/format.ts';

/** A button that opens deliveries in a dialog, filtered by their status. */
export function DeliveriesModal({
  title,
  statuses,
  children,
  ...button
}: Omit<ButtonProps, 'children'> & {
  title: string;
  statuses: readonly string[];
  children: (status: string | null) => ReactNode;
}) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [status, setStatus] = useState<string | null>(null);
  return (
    <>
      <Button {...button} onClick={open}>
        Deliveries
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} size="xl">
        <Select
          label="Status"
          placeholder="All"
          clearable
          clearButtonProps={{ 'aria-label': 'Show all' }}
          data={statuses.map((value) => ({ value, label: humanize(value) }))}
          value={status}
          onChange={setStatus}
          maw={220}
          mb="md"
        />
        {children(status)}
      </Modal>
    </>
  );
}
