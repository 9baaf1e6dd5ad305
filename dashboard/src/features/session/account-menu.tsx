import { ActionIcon, Button, Menu, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../components/action.ts';
import { PersonIcon } from '../../components/icons.tsx';
import { api } from '../../lib/api.ts';
import type { Session } from '../../lib/session.ts';

async function signOut(everywhere: boolean) {
  await api('POST', 'sign-out', { body: { everywhere } });
  window.location.assign('/sign-in');
}

/** Shows who is signed in; signs out, here or everywhere; changes the password. */
export function AccountMenu({ session }: { session: Session }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const signOutAction = useAction(signOut, { invalidates: [] });
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label="Your account">
            <PersonIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text size="sm" truncate>
              {session.email}
            </Text>
            {session.is_installation_admin && <Text size="xs">Admin of this installation</Text>}
          </Menu.Label>
          {session.has_password && <Menu.Item onClick={open}>Change password</Menu.Item>}
          <Menu.Item component="a" href="/docs">
            API reference
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => signOutAction.mutate(false)}>Sign out</Menu.Item>
          <Menu.Item onClick={() => signOutAction.mutate(true)}>Sign out everywhere</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isOpen} onClose={close} title="Change password" centered>
        <PasswordForm onDone={close} />
      </Modal>
    </>
  );
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const [current, setCurrent] = useState('');
  const [replacement, setReplacement] = useState('');
  const change = useAction(
    () => api('POST', 'password', { body: { current_password: current, new_password: replacement } }),
    { invalidates: [], done: 'Password changed. Other sessions were signed out.' },
  );
  function submit(event: FormEvent) {
    event.preventDefault();
    change.mutate(undefined, { onSuccess: onDone });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          description="At least 12 characters"
          autoComplete="new-password"
          required
          minLength={12}
          value={replacement}
          onChange={(event) => setReplacement(event.currentTarget.value)}
        />
        <Button type="submit" loading={change.isPending}>
          Change password
        </Button>
      </Stack>
    </form>
  );
}
