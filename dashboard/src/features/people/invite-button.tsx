import { Alert, Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../components/action.ts';
import { api } from '../../lib/api.ts';
import { formatInstant } from '../../lib/format.ts';
import type { View } from '../../lib/session.ts';

interface Invitation {
  readonly url: string;
  readonly expires_at: string;
}

/** Invites a person to the dashboard: creates a one-time link, to be passed on. */
export function InviteButton({ view, email, isAgain }: { view: View; email: string; isAgain: boolean }) {
  const [invitation, setInvitation] = useState<Invitation>();
  const invite = useAction(
    () => api<Invitation>('POST', 'people/invitations', { scope: view, body: { email } }),
    { invalidates: [['people', view.id]] },
  );
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Invite ${email}`}
        loading={invite.isPending}
        onClick={() => invite.mutate(undefined, { onSuccess: setInvitation })}
      >
        {isAgain ? 'Invite again' : 'Invite'}
      </Button>
      <Modal
        opened={invitation !== undefined}
        onClose={() => setInvitation(undefined)}
        title={`Invitation for ${email}`}
        closeOnClickOutside={false}
        centered
      >
        {invitation !== undefined && (
          <Stack>
            <Alert color="indigo" variant="outline" title="Send this link yourself">
              Whoever opens it can set this person’s password. It works once and is not shown again.
            </Alert>
            <Code
              block
              data-testid="invitation-link"
              style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-all' }}
            >
              {invitation.url}
            </Code>
            <Text size="sm" c="dimmed">
              Valid until {formatInstant(invitation.expires_at)}
            </Text>
            <Group justify="flex-end">
              <CopyButton value={invitation.url}>
                {({ copied, copy }) => (
                  <Button variant="default" onClick={copy}>
                    {copied ? 'Copied' : 'Copy link'}
                  </Button>
                )}
              </CopyButton>
              <Button onClick={() => setInvitation(undefined)}>Done</Button>
            </Group>
          </Stack>
        )}
      </Modal>
    </>
  );
}
