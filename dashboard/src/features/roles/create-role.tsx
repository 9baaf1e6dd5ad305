import { Button, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../components/action.ts';
import { api } from '../../lib/api.ts';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import type { Role } from './role-editor.tsx';

/** Creates a custom role as a copy of another one. */
export function CreateRole({ view, roles }: { view: View; roles: readonly Role[] }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [, change] = useFilters();
  const [name, setName] = useState('');
  const [from, setFrom] = useState('cr_member');
  const create = useAction(
    () => api<Role>('POST', 'roles', { scope: view, body: { name, duplicate_from: from } }),
    { invalidates: [['roles', view.id]], done: 'Role created' },
  );
  function submit(event: FormEvent) {
    event.preventDefault();
    create.mutate(undefined, {
      onSuccess(role) {
        close();
        setName('');
        change({ role: role.id });
      },
    });
  }
  return (
    <>
      <Button onClick={open}>Create role</Button>
      <Modal opened={isOpen} onClose={close} title="Create role" centered>
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
            <Select
              label="Copy permissions from"
              value={from}
              allowDeselect={false}
              data={roles.map((role) => ({ value: role.id, label: role.name }))}
              onChange={(value) => setFrom(value ?? from)}
            />
            <Button type="submit" loading={create.isPending}>
              Create role
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
